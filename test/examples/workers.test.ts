import { describeExample } from './describe-example.ts';

describeExample('workers', { hasRouter: false });
