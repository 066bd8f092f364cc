import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { describeOutbox } from './outbox.conformance.ts';
import { describePayments } from './payments.conformance.ts';
import { helpersFor, type MakeStore, record } from './store-kit.ts';

const makeStore: MakeStore = async ({ now }) => {
  const store = createMemoryStore({ now });
  return { open: () => store };
};

describePayments('memory', makeStore);
describeOutbox('memory', makeStore);

it('measures more payments than a call can have arguments', async () => {
  let nowMs = 0;
  const store = createMemoryStore({ now: () => nowMs });
  for (; nowMs < 150_000; nowMs++) {
    const payment = { ...record, reference: `tc_${nowMs}`, orderId: `order-${nowMs}` };
    await store.insert(payment, { checkAfterMs: 1000 });
  }
  expect(await store.measure()).toMatchObject({ oldestUnpaidMs: 150_000, checkLagMs: 149_000 });
});

it('does not read orders without open events when it claims an event', async () => {
  let clockReads = 0;
  const store = createMemoryStore({ now: () => ++clockReads });
  const { insert, bring, runAll, claim } = helpersFor(store);
  for (let n = 0; n < 500; n++) {
    await insert(`tc_${n}`, { orderId: `order-${n}` });
    await bring(`tc_${n}`, 'paid');
  }
  await runAll();
  await insert('tc_new', { orderId: 'order-new' });
  await bring('tc_new', 'paid');
  clockReads = 1_000_000;
  await claim('order-new:paid');
  expect(clockReads - 1_000_000).toBeLessThan(20);
});
