import { describe, expect, it } from 'vitest';
import { storedPayment, storedPayments } from './kit/payment-facts.ts';
import { createWiredShop, order } from './kit/wired-shop.ts';

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
    const request = {
      reference,
      paymentMethod: 'pay_with_transfer',
      amount,
      customer,
      callbackUrl,
      metadata,
    };
    expect(sent).toEqual([{ ...request, expiresIn: 600 }]);
  });

  it.each<[object | undefined, RegExp]>([
    ...['', 'order\0a', 'order\ud800', 'order\n1'].map((orderId): [object, RegExp] => [
      { orderId },
      /orderId/,
    ]),
    [{ amount: { value: 12.5, currency: 'NGN' } }, /amount\.value/],
    [{ amount: { value: 100, currency: 'EUR' } }, /amount\.currency/],
    [undefined, /the order/],
  ])('is refused for %j, naming the field', async (change, message) => {
    const { checkout, wire } = createWiredShop();
    const session = checkout.createSession((change && { ...order, ...change }) as typeof order);
    const refusal = { code: 'invalid_options', message: expect.stringMatching(message) };
    await expect(session).rejects.toMatchObject(refusal);
    expect(wire.calls).toEqual([]);
  });

  it.each([60, 30 * 24 * 3600])('may have an account that is open for %i s', async (expiresInSeconds) => {
    const { checkout } = createWiredShop();
    expect((await checkout.createSession({ ...order, expiresInSeconds })).outcome).toBe('pending');
  });
});

describe('an order', () => {
  it('gets the same payment from two clicks at once', async () => {
    const { open, sandbox } = createWiredShop();
    const [first, second, third] = await Promise.all([open(), open(), open()]);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });
});

describe('the merchant’s getOrder', () => {
  it('gets the body, the headers and a signal', async () => {
    let seen: unknown;
    const { post } = createWiredShop({
      getOrder: ({ body, headers, signal }) => {
        seen = [body, headers.get('cookie'), signal.aborted];
        return order;
      },
    });
    await post({ cookie: 'cart=1' }, '{"note":"hello"}');
    expect(seen).toEqual([{ note: 'hello' }, 'cart=1', false]);
  });

  it('gives 500 to the browser when it fails, and the reason to the merchant only', async () => {
    const failure = new Error('password of the database is wrong: hunter2');
    const { post, errors } = createWiredShop({ getOrder: () => Promise.reject(failure) });
    const response = await post();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(errors).toEqual([failure]);
  });
});

describe('a service that refuses', () => {
  it('returns 502, with nothing of its text', async () => {
    const { post, wire, errors } = createWiredShop();
    wire.intercept = async () =>
      Response.json(
        { error: { type: 'authentication_error', code: 'x', message: 'key sk_live_1', params: [] } },
        { status: 401 },
      );
    const response = await post();
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain('sk_live_1');
    expect(errors).toMatchObject([{ code: 'service_rejected', cause: { code: 'authentication_failed' } }]);
  });
});

describe('onPaid', () => {
  it('is called once, however many poll', async () => {
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
        payment: expect.objectContaining({
          reference: session.reference,
          outcome: 'paid',
          chargedAmount: 1_250_000,
        }),
      },
    ]);
  });
});
