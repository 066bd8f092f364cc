import type { Mounting } from './mounted-shop.ts';
import { describeMounting } from './mounting-suite.ts';
import { buildExample } from './workspace.ts';

const onNode = (name: string): Mounting => ({
  prepare: async (workspace) => ({ command: ['node', await buildExample(workspace, name)] }),
});

describeMounting('node:http', onNode('node-http'));
describeMounting('Express', onNode('express'));
describeMounting('Fastify', onNode('fastify'));
describeMounting('Hono', onNode('hono'));
