import { describeExample } from './describe-example.ts';

describeExample('nuxt', { serve: ['node', '.output/server/index.mjs'] });
