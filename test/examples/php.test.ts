import { describeBackend } from './describe-backend.ts';
import { describeExample } from './describe-example.ts';

describeExample('php', { hasRouter: false });
describeBackend('php');
