import { describeMounting } from './mounting-suite.ts';
import { buildExample } from './workspace.ts';

describeMounting('node:http', {
  prepare: async (workspace) => ({ command: ['node', await buildExample(workspace, 'node-http')] }),
});
