import { inWorkspace } from './in-workspace.ts';
import { describeMounting } from './mounting-suite.ts';

describeMounting('node:http', inWorkspace('html', 'node', 'api.js'));
describeMounting('Express', inWorkspace('express', 'node', 'server.js'));
describeMounting('Fastify', inWorkspace('servers', 'node', 'fastify.js'));
describeMounting('Hono', inWorkspace('servers', 'node', 'hono.js'));
