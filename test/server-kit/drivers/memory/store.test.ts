import { expect, it } from 'vitest';
import { newOrder } from '../../../../server-kit/checkout/order/record.ts';
import { createMemoryRows, createMemoryStore } from '../../../../server-kit/drivers/memory/store.ts';
import { describeOutbox } from '../conformance/outbox.conformance.ts';
import { describeRecords } from '../conformance/records.conformance.ts';
import { helpersFor, type MakeStore } from '../conformance/store-kit.ts';

const makeStore: MakeStore = async ({ now }) => {
  const store = createMemoryStore({ now });
  return { open: () => store };
};

describeRecords('memory', makeStore);
describeOutbox('memory', makeStore);

it('measures more orders than a call can have arguments', async () => {
  const rows = createMemoryRows();
  for (let at = 0; at < 150_000; at++) {
    const times = { dueAt: at, unpaidSince: at, confirmingSince: null };
    rows.records.set(`order-${at}`, {
      record: newOrder(''),
      version: 1,
      claims: 0,
      isWoken: false,
      ...times,
    });
  }
  const store = createMemoryStore({ now: () => 200_000, rows });
  expect(await store.measure()).toMatchObject({ oldestUnpaidMs: 200_000, checkLagMs: 200_000 });
});

it('does not read orders without open events when it claims an event', async () => {
  let clockReads = 0;
  const store = createMemoryStore({ now: () => ++clockReads });
  const { add, runAll, claim } = helpersFor(store);
  for (let n = 0; n < 500; n++) await add(`order-${n}`, 'paid');
  await runAll();
  await add('order-new', 'paid');
  clockReads = 1_000_000;
  await claim('order-new:0:paid');
  expect(clockReads - 1_000_000).toBeLessThan(20);
});
