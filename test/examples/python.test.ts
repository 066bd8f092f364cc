import { describeBackend } from './describe-backend.ts';
import { describeExample } from './describe-example.ts';

describeExample('python', { hasRouter: false });
describeBackend('python');
