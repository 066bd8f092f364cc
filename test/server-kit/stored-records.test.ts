import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DueFacts, nextDue } from '../../server-kit/checkout/order/next-due.ts';
import { observe } from '../../server-kit/checkout/order/observe.ts';
import type { Order } from '../../server-kit/checkout/order/record.ts';
import { report } from '../../server-kit/checkout/order/report.ts';
import { viewOrder } from '../../server-kit/checkout/order/view.ts';
import { createMemoryStore } from '../../server-kit/drivers/memory/store.ts';
import { createTestClock, createTestShop } from '../../server-kit/tools/testing/index.ts';

/**
 * A record of each kind, as the first release stores it. Instances of two releases share a store during a deployment, so each one must
 * read what another has written. Fields may be added to records, and to this file; none may be renamed or removed.
 */
type Records = { account: Order; link: Order; paid: Order };

const stored: Records = JSON.parse(
  readFileSync(new URL('../fixtures/stored-records.json', import.meta.url), 'utf8'),
);

/** Lets the checkout write the same records today. References are random, and become `tc_1` and so on. */
async function writeRecords(): Promise<Records> {
  const clock = createTestClock();
  const store = createMemoryStore({ now: clock.now });
  const shop = createTestShop({ store, onPaid() {} }, { clock });
  const amount = { value: 1_250_000, currency: 'NGN' } as const;
  await shop.open({ orderId: 'account' });
  await shop.checkout.createLink({ orderId: 'link', amount });
  await shop.open({ orderId: 'paid', amount: { ...amount, value: 900_000 } });
  await shop.pay(await shop.open({ orderId: 'paid' }));
  const read = async (id: string) => (await store.read(id)).record;
  const records = {
    account: await read('account'),
    link: await read('link'),
    paid: await read('paid'),
  };
  const references = [...new Set(JSON.stringify(records).match(/tc_\w+/g))];
  return JSON.parse(
    references.reduce((text, one, index) => text.replaceAll(one, `tc_${index + 1}`), JSON.stringify(records)),
  );
}

/** Returns the paths of all fields. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`));
  return [path, ...inner];
}

const facts: DueFacts = {
  serviceNow: Date.UTC(2026, 2, 1, 12, 5),
  now: 0,
  storeNow: 0,
  lateWatchSeconds: 86_400,
  reversalWatchSeconds: 86_400,
};

const response = (reference: string, paymentId: string, status: string) => ({
  reference,
  paymentId,
  status,
  currency: 'NGN',
  liveMode: false,
  chargedAmount: 1_250_000,
  expectedAmount: 1_250_000,
  updatedAt: '2026-03-01T12:04:00.000Z',
});

describe('a stored record of the first release', () => {
  it('has no field that the checkout does not write today', async () => {
    expect(fieldsOf(await writeRecords())).toEqual(expect.arrayContaining(fieldsOf(stored)));
  });

  it.each([
    ['account', 'tc_1', 'pay_4uak3w230myqri7f0000', 'succeeded', ['pending', 'paid', 'paid']],
    ['link', 'tc_2', 'pay_new', 'succeeded', ['unclear', 'paid', 'paid']],
    ['paid', 'tc_3', 'pay_l0585fx83dkzr6kb0003', 'reversed', ['paid', 'reversed', 'reversed']],
    ['paid', 'tc_4', 'pay_abrv1kvkiyfpzkku0002', 'succeeded', ['paid', 'unexpectedMoney', 'paid']],
  ] as const)('is read if it is the order %s: payment %s', (kind, reference, paymentId, status, expected) => {
    const order = stored[kind];
    expect(report(order).events).toEqual([]);
    const { record, ignored } = observe(order, reference, response(reference, paymentId, status));
    const reported = report(record);
    const outcomes = [order, reported.record].map((one) => viewOrder(one)?.outcome);
    const events = reported.events.map(({ outcome }) => outcome);
    expect([outcomes[0], ...events, outcomes[1], ignored]).toEqual([...expected, null]);
    expect(nextDue(order, facts)).toEqual({ afterMs: expect.any(Number) });
  });
});
