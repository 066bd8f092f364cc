import { describeExample } from './describe-example.ts';

describeExample('sveltekit', { serve: ['node', 'build'], methods: ['HEAD', 'OPTIONS'] });
