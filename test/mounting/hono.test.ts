import { describeMounting } from './mounting-suite.ts';
import { buildExample } from './workspace.ts';

describeMounting('Hono', {
  prepare: async (workspace) => ({ command: ['node', await buildExample(workspace, 'hono')] }),
});
