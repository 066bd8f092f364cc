import { describeExample } from './describe-example.ts';

describeExample('vue');
