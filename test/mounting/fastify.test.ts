import { describeMounting } from './mounting-suite.ts';
import { buildExample } from './workspace.ts';

describeMounting('Fastify', {
  prepare: async (workspace) => ({ command: ['node', await buildExample(workspace, 'fastify')] }),
});
