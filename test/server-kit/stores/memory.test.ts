import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { describeEffects } from './effects.conformance.ts';
import { describePayments } from './payments.conformance.ts';
import type { MakeStore } from './store-kit.ts';

const makeStore: MakeStore = async ({ now }) => {
  const store = createMemoryStore({ now });
  return { open: () => store };
};

describePayments('memory', makeStore);
describeEffects('memory', makeStore);
