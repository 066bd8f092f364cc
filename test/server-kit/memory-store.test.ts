import { createMemoryStore } from '../../server-kit/stores/memory.ts';
import { describeStore } from './store.conformance.ts';

describeStore('memory', createMemoryStore);
