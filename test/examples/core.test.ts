import { describeExample } from './describe-example.ts';

describeExample('core', { hasRouter: false });
