import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { describeStore } from './conformance/store.conformance.ts';

describeStore('memory', async ({ now }) => {
  const store = createMemoryStore({ now });
  return { open: () => store };
});
