import { createMemoryLimiter } from '../../../server-kit/limits/memory.ts';
import { describeLimiter } from './limiter.conformance.ts';

describeLimiter('memory', createMemoryLimiter);
