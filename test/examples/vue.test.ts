import { describeExample } from './describe-example.ts';

describeExample('vue', { hasDevServer: true });
