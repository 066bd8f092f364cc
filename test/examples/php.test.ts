import { describeExample } from './describe-example.ts';

describeExample('php', { hasRouter: false });
