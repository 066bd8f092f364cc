import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { describeSlowHandlers } from './slow-handlers.conformance.ts';

describeSlowHandlers({ name: 'memory', hung: 20, most: 100, open: async () => createMemoryStore() });
