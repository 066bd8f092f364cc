import { describeExample } from './describe-example.ts';

describeExample('sveltekit', { hasDevServer: true, serve: ['node', 'build'], methods: ['HEAD', 'OPTIONS'] });
