import { expect, it } from 'vitest';
import type { GetOrderRequest } from '../../../../server-kit/index.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { codeOf, readSession } from '../../kit/wire-faults.ts';
import { order } from '../../kit/wired-shop.ts';
import { madeUp, naming, preferring } from './naming.ts';

const minuteMs = 60_000;
const existing = preferring('existing');

/** A shop whose cookie is the id of the order. */
const byCookie = ({ headers }: GetOrderRequest) => ({
  ...order,
  orderId: headers.get('cookie') ?? order.orderId,
});

/** A shop with a session, and what a page of it does. */
async function openedShop(...input: Parameters<typeof createNotifiedShop>) {
  const shop = createNotifiedShop(...input);
  const first = await shop.open();
  shop.clock.advance(5000);
  return {
    ...shop,
    first,
    /** The page is reloaded in a browser that has stored these payments, and prefers one. */
    reload: (stored: readonly Session[], more: Record<string, string> = {}) =>
      readSession(shop.post({ ...naming(...stored), ...more })),
    expire: () => shop.clock.advance(31 * minuteMs),
    receive: async ({ account }: Session) => {
      shop.pay(account.number);
      await shop.delivered();
      shop.clock.advance(minuteMs);
    },
  };
}

it('a reload in a browser that has stored a payment of the order reads ten payments that are named, with any secret, and no eleventh', async () => {
  const { first, reload, expire, accounts } = await openedShop();
  expire();
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => madeUp(`tc_${index}`)) as Session[];
  const tenth = await reload([...others(9), madeUp(first.reference) as Session]);
  expect(tenth).toMatchObject({ reference: first.reference, outcome: 'expired' });
  expect(await reload([...others(10), first])).toMatchObject({ outcome: 'pending' });
  expect(accounts()).toHaveLength(2);
});

it('a browser that has stored payments of other orders gets the session of the order that the server names, and nothing of the others', async () => {
  const { first, post, receive } = await openedShop({ getOrder: byCookie });
  await receive(first);
  const other = { ...naming(first), cookie: 'order-2' };
  expect((await post({ ...other, ...existing })).status).toBe(404);
  const response = await post(other);
  expect(response.status).toBe(201);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ outcome: 'pending' });
  for (const theirs of [first.reference, first.clientSecret, first.account.number, 'order-1'])
    expect(text).not.toContain(theirs);
});

it.each([
  ['payment=new, wait=5', 201],
  ['handling=lenient,  Payment = "new" ; a=b', 201],
  ['PAYMENT=new;x', 201],
  ['payment=newest', 200],
  ['payment', 200],
  ['payment=', 200],
  ['other-payment=new', 200],
  ['a; payment=new', 200],
  ['x="payment=new"', 200],
])('a page that prefers another payment says so as the standard does: %s gets %i', async (prefer, status) => {
  const { first, expire, post } = await openedShop();
  expire();
  expect((await post({ ...naming(first), prefer })).status).toBe(status);
});

it.each([
  ['nothing', {}],
  ['a payment that does not exist', naming(madeUp('tc_unknown'))],
])(
  'a page that prefers an existing payment gets 404 at once where it has stored %s, also of a paid order',
  async (_name, named) => {
    const { first, receive, post, wire, accounts } = await openedShop();
    await receive(first);
    const before = wire.calls.length;
    const response = await post({ ...named, ...existing });
    expect([response.status, await codeOf(response.clone())]).toEqual([404, 'session_unknown']);
    expect(await response.text()).not.toContain(first.reference);
    expect(wire.calls.length).toBe(before);
    expect(accounts()).toHaveLength(1);
  },
);
