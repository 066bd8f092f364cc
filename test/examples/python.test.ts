import { describeExample } from './describe-example.ts';

describeExample('python', { hasRouter: false });
