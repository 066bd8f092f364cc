import { describeExample } from './describe-example.ts';

describeExample('next', {
  isRendered: true,
  serve: ['next', 'start'],
  // Next itself responds to methods that a route does not export.
  methods: ['HEAD', 'OPTIONS'],
});
