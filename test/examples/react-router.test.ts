import { describeExample } from './describe-example.ts';

describeExample('react-router', {
  hasDevServer: true,
  serve: ['react-router-serve', 'build/server/index.js'],
});
