import { describe, expect, it } from 'vitest';
import { CheckoutError } from '../../src/contract/index.ts';
import { storedPayment, storedPayments } from './kit/payment-facts.ts';
import { createWiredShop, order } from './kit/wired-shop.ts';

const changed = { ...order, amount: { value: 999_00, currency: 'NGN' } } as const;

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

  it('can be made by the merchant’s own code', async () => {
    const { checkout, open } = createWiredShop();
    const { reference, clientSecret } = await checkout.createSession(order);
    expect(await open()).toMatchObject({ reference, clientSecret });
  });

  it.each([
    [{ ...order, orderId: '' }, /orderId/],
    [{ ...order, amount: { value: 12.5, currency: 'NGN' } }, /amount\.value/],
    [{ ...order, amount: { value: 100, currency: 'EUR' } }, /amount\.currency/],
    [{ ...order, expiresInSeconds: 5 }, /expiresInSeconds/],
    [{ ...order, price: 1 }, /price/],
    [undefined, /the order/],
  ])('is refused for %j, naming the field', async (input, message) => {
    const { checkout, wire } = createWiredShop();
    const session = checkout.createSession(input as typeof order);
    await expect(session).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(message),
    });
    expect(wire.calls).toEqual([]);
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

  it('gets the same payment from a reload, with 200', async () => {
    const { post, open, clock } = createWiredShop();
    const first = await open();
    clock.advance(60_000);
    const again = await post();
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({
      reference: first.reference,
      clientSecret: first.clientSecret,
    });
  });

  it('gets its paid payment back, and never a second account', async () => {
    const { open, sandbox, clock } = createWiredShop();
    const first = await open();
    sandbox.control.transfer({ accountNumber: first.account.number, amount: 1_250_000 });
    clock.advance(5000);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    clock.advance(7 * 24 * 3_600_000);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('gets a new payment when the first has expired empty', async () => {
    const { post, open, clock } = createWiredShop();
    const first = await open();
    clock.advance(31 * 60_000);
    const next = await post();
    expect(next.status).toBe(201);
    const second = (await next.json()) as typeof first;
    expect(second.reference).not.toBe(first.reference);
    expect(second).toMatchObject({ outcome: 'pending', expiresAt: '2026-03-01T13:01:00.000Z' });
  });

  it('keeps an expired payment that holds money', async () => {
    const { open, clock, sandbox } = createWiredShop();
    const first = await open();
    sandbox.control.updatePayment(first.reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    sandbox.control.transfer({ accountNumber: first.account.number, amount: 500_000 });
    clock.advance(31 * 60_000);
    expect(await open()).toMatchObject({
      reference: first.reference,
      outcome: 'expired',
      chargedAmount: 500_000,
    });
  });

  it('whose price has changed gets a new payment, and the old one says so', async () => {
    let current: typeof order | typeof changed = order;
    const { open, get, clock } = createWiredShop({ createPayment: () => current });
    const first = await open();
    current = changed;
    clock.advance(5000);
    const second = await open();
    expect(second).toMatchObject({ amount: changed.amount, outcome: 'pending' });
    expect(second.reference).not.toBe(first.reference);
    expect(await (await get(first)).json()).toMatchObject({ outcome: 'replaced' });
  });

  it('gets its open payment back while the service is down', async () => {
    const { post, open, clock, wire } = createWiredShop();
    const first = await open();
    clock.advance(60_000);
    wire.intercept = () => Promise.reject(new TypeError('fetch failed'));
    const response = await post();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(first);
  });
});

describe('a request that failed', () => {
  it('before the service has heard of the payment is repeated with the same reference', async () => {
    const { post, open, wire, store, sandbox } = createWiredShop();
    wire.intercept = () => Promise.reject(new TypeError('fetch failed'));
    expect((await post()).status).toBe(503);
    const recorded = (await storedPayments(store, 'order-1')).at(-1);
    wire.intercept = undefined;
    expect((await open()).reference).toBe(recorded?.reference);
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });
});

describe('the merchant’s createPayment', () => {
  it('gets the body, the headers and a signal', async () => {
    let seen: unknown;
    const { post } = createWiredShop({
      createPayment: ({ body, headers, signal }) => {
        seen = [body, headers.get('cookie'), signal.aborted];
        return order;
      },
    });
    await post({ cookie: 'cart=1' }, '{"note":"hello"}');
    expect(seen).toEqual([{ note: 'hello' }, 'cart=1', false]);
  });

  it('refuses a caller by throwing forbidden', async () => {
    const { post, wire, errors } = createWiredShop({
      createPayment: () => {
        throw new CheckoutError('forbidden', 'This cart is not yours.');
      },
    });
    const response = await post();
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      status: 403,
      code: 'forbidden',
      detail: 'This cart is not yours.',
    });
    expect(wire.calls).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('that fails gives 500 to the browser, and the reason to the merchant only', async () => {
    const failure = new Error('password of the database is wrong: hunter2');
    const { post, errors } = createWiredShop({ createPayment: () => Promise.reject(failure) });
    const response = await post();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(errors).toEqual([failure]);
  });

  it('that returns no order gives 500, and the merchant learns which field is wrong', async () => {
    const { post, errors } = createWiredShop({
      createPayment: () => ({ ...order, amount: { value: -1, currency: 'NGN' } }),
    });
    const response = await post();
    expect(response.status).toBe(500);
    expect(errors).toMatchObject([
      { code: 'invalid_options', message: expect.stringContaining('amount.value') },
    ]);
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

  it('is not believed when it made the payment over another amount', async () => {
    const { post, wire, errors } = createWiredShop();
    wire.intercept = async (_path, send) => {
      const response = (await (await send()).json()) as { amount: { value: number } };
      return Response.json({ ...response, amount: { ...response.amount, value: 12_500 } });
    };
    expect((await post()).status).toBe(502);
    expect(errors).toMatchObject([{ cause: { message: expect.stringContaining('amountUnit') } }]);
  });

  it('is not believed when verify speaks of another payment', async () => {
    const { open, get, wire, clock } = createWiredShop();
    const session = await open();
    clock.advance(5000);
    const etag = (await get(session)).headers.get('etag') ?? '';
    wire.intercept = async (_path, send) => {
      const response = (await (await send()).json()) as object;
      return Response.json({ ...response, id: 'pay_other', status: 'succeeded', chargedAmount: 1_250_000 });
    };
    clock.advance(5000);
    const response = await get(session, { 'if-none-match': etag });
    expect(response.status).toBe(502);
    wire.intercept = undefined;
    clock.advance(5000);
    expect(await (await get(session)).json()).toMatchObject({ outcome: 'pending' });
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

  it('is not called for less than was asked, even where the service says succeeded', async () => {
    const paid: unknown[] = [];
    const { open, get, clock, wire, sandbox } = createWiredShop({ onPaid: (event) => void paid.push(event) });
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: 1_250_000 });
    wire.intercept = async (_path, send) => {
      const response = (await (await send()).json()) as object;
      return Response.json({ ...response, chargedAmount: 1_249_999 });
    };
    clock.advance(5000);
    expect(await (await get(session)).json()).toMatchObject({
      outcome: 'amountMismatch',
      status: 'succeeded',
    });
    expect(paid).toEqual([]);
  });

  it('that throws is reported, and the shopper still sees the payment', async () => {
    const { open, get, clock, sandbox, errors } = createWiredShop({
      onPaid: () => Promise.reject(new Error('no stock')),
    });
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: 1_250_000 });
    clock.advance(5000);
    expect(await (await get(session)).json()).toMatchObject({ outcome: 'paid' });
    expect(errors).toMatchObject([{ message: 'no stock' }]);
  });
});

describe('wrong options', () => {
  it.each([
    [{ publicUrl: 'shop.example' }, /publicUrl/],
    [{ publicUrl: 'javascript:alert(1)' }, /publicUrl/],
    [{ clientSecretKeys: ['short'] }, /clientSecretKeys.*32 characters/],
    [{ clientSecretKeys: [] }, /openssl rand/],
    [{ clientSecretKeys: 'a text' }, /clientSecretKeys: must be a list/],
    [{ allowedOrigins: '*' }, /allowedOrigins: must be a list of origins/],
    [{ createPayment: undefined }, /createPayment/],
    [{ store: {} }, /store/],
    [{ payments: {} }, /createPaymentsClient/],
  ])('%j are refused with what to pass instead', (options, message) => {
    expect(() => createWiredShop(options as never)).toThrow(message);
  });
});
