import { describe, expect, it } from 'vitest';
import { createClientSecrets } from '../../server-kit/core/secrets.ts';
import { openedShop } from './kit/opened-shop.ts';
import { storedPayment, storedPayments } from './kit/payment-facts.ts';
import { createTestClock } from './kit/test-clock.ts';
import { changing, readView } from './kit/wire-faults.ts';
import { createWiredShop, keys, order } from './kit/wired-shop.ts';

describe('a new session', () => {
  it('holds the account to pay into, and nothing that belongs to the server', async () => {
    const { post, sandbox } = createWiredShop();
    const response = await post();
    expect(response.status).toBe(201);
    const session = await response.json();
    const [payment] = sandbox.control.listPayments();
    expect(session).toEqual({
      reference: payment?.reference,
      clientSecret: expect.stringMatching(/^cs_test_/),
      account: { number: payment?.accountNumber, name: payment?.accountName, bankName: 'Sandbox Bank' },
      amount: { value: 1_250_000, currency: 'NGN' },
      chargedAmount: 0,
      status: 'initiated',
      outcome: 'pending',
      openedAt: '2026-03-01T12:00:00.000Z',
      expiresAt: '2026-03-01T12:30:00.000Z',
      liveMode: false,
    });
  });

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

it('onPaid is called once, however many poll', async () => {
  const paid: unknown[] = [];
  const { open, get, sandbox, clock } = createWiredShop({ onPaid: (event) => void paid.push(event) });
  const session = await open();
  sandbox.control.transfer({ accountNumber: session.account.number, amount: 1_250_000 });
  clock.advance(5000);
  await Promise.all([get(session), get(session), open()]);
  clock.advance(5000);
  await Promise.all([get(session), open()]);
  expect(paid).toEqual([
    {
      outcome: 'paid',
      order: { orderId: 'order-1', amount: order.amount },
      idempotencyKey: 'order-1:paid',
      late: false,
      excess: null,
      money: { amount: order.amount, total: order.amount },
      signal: expect.any(AbortSignal),
      transaction: undefined,
      payment: expect.objectContaining({ reference: session.reference, chargedAmount: 1_250_000 }),
    },
  ]);
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

it('a moment with an offset is recorded in UTC, so that older responses are distinguished from newer ones', async () => {
  const { get, session, wire, clock } = await openedShop();
  for (const [status, updatedAt] of [
    ['charged', '2026-03-01T13:00:06+01:00'],
    ['awaiting_charge', '2026-03-01T12:59:00+01:00'],
  ]) {
    wire.intercept = changing({ status, updatedAt });
    clock.advance(5000);
    expect(await readView(get(session))).toMatchObject({ status: 'charged' });
  }
});
