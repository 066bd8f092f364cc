import { describeExample } from './describe-example.ts';

describeExample('astro', {
  hasDevServer: true,
  serve: ['node', 'dist/server/entry.mjs'],
  // Astro refuses other methods that name no origin.
  methods: ['HEAD', 'OPTIONS'],
});
