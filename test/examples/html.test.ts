import { describeExample } from './describe-example.ts';

describeExample('html', { hasRouter: false });
