import { describe, expect, it } from 'vitest';
import { createClientSecrets } from '../../server-kit/core/secrets.ts';
import { openedShop } from './kit/opened-shop.ts';
import { storedPayment, storedPayments } from './kit/payment-facts.ts';
import { createTestClock } from './kit/test-clock.ts';
import { readView } from './kit/wire-faults.ts';
import { createWiredShop, keys, order } from './kit/wired-shop.ts';

describe('a new session', () => {
  it('is recorded before the service is called, and with its account before it is shown', async () => {
    const { post, wire, store } = createWiredShop();
    let recordedAtCall: unknown;
    wire.intercept = async (_path, send) => {
      recordedAtCall = (await storedPayments(store, 'order-1')).at(-1);
      return send();
    };
    const { reference, account } = (await (await post()).json()) as { reference: string; account: unknown };
    expect(recordedAtCall).toMatchObject({ reference, opened: null });
    expect(await storedPayment(store, reference)).toMatchObject({ opened: { account, liveMode: false } });
  });

  it('gives the service what the merchant says of the order', async () => {
    const sent: unknown[] = [];
    const metadata = { cart: 'c-1', constructor: 'kept' };
    const { sandbox } = createWiredShop();
    const fetch: typeof sandbox.fetch = (input, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return sandbox.fetch(input, init);
    };
    const getOrder = () => ({ ...order, expiresInSeconds: 600, metadata });
    const shop = createWiredShop({ getOrder }, {}, { sandbox: { ...sandbox, fetch } });
    const { reference } = await shop.open();
    const { amount, customer } = order;
    const callbackUrl = 'https://shop.example/checkout/callbacks';
    const request = { reference, amount, customer, callbackUrl, metadata, expiresIn: 600 };
    expect(sent).toEqual([{ ...request, paymentMethod: 'pay_with_transfer' }]);
  });
});

const hour = 3_600_000;
const noon = Date.UTC(2026, 2, 1, 12);

it('the service’s Date is what the browser gets if the two clocks differ', async () => {
  const clock = createTestClock();
  const { post } = createWiredShop({}, { now: () => clock.now() + hour }, { clock });
  const notified = Number((await post()).headers.get('checkout-service-time'));
  expect(notified).toBeGreaterThanOrEqual(noon + hour);
  expect(notified).toBeLessThan(noon + hour + 1000);
});

it.each(['account', 'link'])('a client secret of live mode does not open a test %s', async (kind) => {
  const { get, open, checkout } = createWiredShop();
  const { reference } = kind === 'account' ? await open() : await checkout.createLink(order);
  const claims = { reference, liveMode: true, expiresAt: '2030-01-01T00:00:00Z' };
  const clientSecret = await createClientSecrets(keys, 0).issue(claims);
  expect((await get({ reference, clientSecret })).status).toBe(401);
});

it('a local clock that is set back an hour neither stops the verifications nor makes them more frequent', async () => {
  const clock = createTestClock();
  let backMs = 0;
  const testing = { now: () => clock.now() - backMs };
  const { get, open, session, pay, wire } = await openedShop({ testing }, {}, { clock });
  backMs = hour;
  pay();
  clock.advance(5000);
  const before = wire.calls.length;
  for (let reload = 0; reload < 20; reload++)
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
  expect(wire.calls.length - before).toBe(1);
  expect(await open()).toMatchObject({ reference: session.reference, outcome: 'paid' });
});
