import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { describeEffects } from './effects.conformance.ts';
import { describePayments } from './payments.conformance.ts';
import { type MakeStore, record } from './store-kit.ts';

const makeStore: MakeStore = async ({ now }) => {
  const store = createMemoryStore({ now });
  return { open: () => store };
};

describePayments('memory', makeStore);
describeEffects('memory', makeStore);

it('measures more payments than a call can have arguments', async () => {
  let nowMs = 0;
  const store = createMemoryStore({ now: () => nowMs });
  for (; nowMs < 150_000; nowMs++) {
    const payment = { ...record, reference: `tc_${nowMs}`, orderId: `order-${nowMs}` };
    await store.insert(payment, { checkAfterMs: 1000 });
  }
  expect(await store.measure()).toMatchObject({ oldestUnpaidMs: 150_000, checkLagMs: 149_000 });
});
