import { describeExample } from './describe-example.ts';

describeExample('react-router', { serve: ['react-router-serve', 'build/server/index.js'] });
