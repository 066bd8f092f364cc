import { describeMounting } from './mounting-suite.ts';
import { buildExample } from './workspace.ts';

describeMounting('Express', {
  prepare: async (workspace) => ({ command: ['node', await buildExample(workspace, 'express')] }),
});
