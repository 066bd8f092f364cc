import { describeExample } from './describe-example.ts';

describeExample('next', {
  hasDevServer: true,
  isRendered: true,
  serve: ['next', 'start'],
  env: { NEXT_MANUAL_SIG_HANDLE: 'true' },
  // Next itself responds to methods that a route does not export.
  methods: ['HEAD', 'OPTIONS'],
});
