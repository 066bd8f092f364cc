import { describeExample } from './describe-example.ts';

describeExample('express', { hasRouter: false });
