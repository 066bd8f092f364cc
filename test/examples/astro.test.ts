import { describeExample } from './describe-example.ts';

describeExample('astro', { serve: ['node', 'dist/server/entry.mjs'] });
