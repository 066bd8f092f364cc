import { describeExample } from './describe-example.ts';

describeExample('next', {
  hasDevServer: true,
  isRendered: true,
  // As the script `serve` does.
  serve: ['node', '--env-file=.env', 'node_modules/next/dist/bin/next', 'start'],
  // Next itself responds to methods that a route does not export.
  methods: ['HEAD', 'OPTIONS'],
});
