import { describeExample } from './describe-example.ts';

describeExample('nuxt', { hasDevServer: true, serve: ['node', '.output/server/index.mjs'] });
