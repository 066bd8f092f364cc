import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../server-kit/stores/memory.ts';
import type { Store } from '../../server-kit/stores/store.ts';
import { CheckoutError } from '../../src/contract/index.ts';
import { pass } from './kit/test-clock.ts';
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
      recordedAtCall = (await store.listByOrder('order-1')).at(-1);
      return send();
    };
    const { reference, account } = (await (await post()).json()) as { reference: string; account: unknown };
    expect(recordedAtCall).toMatchObject({ reference, opened: null });
    expect(await store.findByReference(reference)).toMatchObject({ opened: { account, liveMode: false } });
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

  it('whose price has changed keeps a payment that money has come on', async () => {
    let current: typeof order | typeof changed = order;
    const { open, clock, sandbox } = createWiredShop({ createPayment: () => current });
    const first = await open();
    sandbox.control.updatePayment(first.reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    sandbox.control.transfer({ accountNumber: first.account.number, amount: 500_000 });
    current = changed;
    clock.advance(5000);
    expect(await open()).toMatchObject({
      reference: first.reference,
      amount: order.amount,
      chargedAmount: 500_000,
    });
  });

  it('is never given a second account while the service cannot say what the first holds', async () => {
    const { post, open, clock, wire } = createWiredShop();
    await open();
    clock.advance(31 * 60_000);
    wire.intercept = async () => Response.json({}, { status: 503 });
    const response = await post();
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.json()).toMatchObject({ code: 'service_unavailable' });
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

describe('a crash', () => {
  /** A store whose n-th write fails, as if the process had ended there. */
  const createCrashingStore = (failing: number): Store => {
    const store = createMemoryStore();
    let updates = 0;
    return {
      ...store,
      update: (...write) =>
        ++updates === failing ? Promise.reject(new Error('the disk is gone')) : store.update(...write),
    };
  };

  it('after the service has created the payment is healed with the next payment’s reference', async () => {
    const { post, open, sandbox, clock } = createWiredShop({ store: createCrashingStore(1) });
    expect((await post()).status).toBe(500);
    // Long enough for another instance to have written the account, if there were one.
    clock.advance(20_000);
    const session = await open();
    const [second, first] = sandbox.control.listPayments();
    expect(session.reference).toBe(second?.reference);
    expect(session.account.number).toBe(second?.accountNumber);
    expect(first?.reference).not.toBe(second?.reference);
    expect((await open()).reference).toBe(session.reference);
  });

  it('before the service has heard of the payment is healed with the same reference', async () => {
    const { post, open, wire, store, sandbox } = createWiredShop();
    wire.intercept = () => Promise.reject(new TypeError('fetch failed'));
    expect((await post()).status).toBe(503);
    const recorded = (await store.listByOrder('order-1')).at(-1);
    wire.intercept = undefined;
    expect((await open()).reference).toBe(recorded?.reference);
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('or a lost response: the unseen payment is abandoned, and the shopper sees one account', async () => {
    const { open, wire, sandbox } = createWiredShop();
    wire.intercept = async (path, send) => {
      const response = await send();
      if (wire.calls.filter((one) => one === path).length === 1) throw new TypeError('terminated');
      return response;
    };
    const session = await open();
    expect(sandbox.control.listPayments()).toHaveLength(2);
    expect(session.reference).toBe(sandbox.control.listPayments()[0]?.reference);
  });
});

describe('two instances on one store', () => {
  it('give an order one account, whichever instance writes first', async () => {
    const store = createMemoryStore();
    const one = createWiredShop({ store });
    const two = createWiredShop({ store }, {});
    // Both shops have a sandbox of their own, so that the service itself cannot keep them apart.
    const sessions = Promise.all([one.open(), two.open()]);
    // The second may wait for the first.
    await Promise.all([pass(one.clock, 1000), pass(two.clock, 1000)]);
    const [first, second] = await sessions;
    expect(second.account).toEqual(first.account);
    expect(second.reference).toBe(first.reference);
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

  it('gives way to onUnexpectedMoney when an order is paid a second time', async () => {
    const paid: unknown[] = [];
    const unexpected: unknown[] = [];
    const { open, get, clock, sandbox } = createWiredShop({
      onPaid: ({ payment }) => void paid.push(payment.reference),
      onUnexpectedMoney: ({ payment }) => void unexpected.push(payment.reference),
    });
    const first = await open();
    clock.advance(31 * 60_000);
    const second = await open();
    for (const session of [second, first]) {
      sandbox.control.transfer({ accountNumber: session.account.number, amount: 1_250_000 });
      clock.advance(5000);
      await get(session);
      clock.advance(5000);
      await get(session);
    }
    expect(paid).toEqual([second.reference]);
    expect(unexpected).toEqual([first.reference]);
  });

  it('gives way to onUnexpectedMoney when money comes for a cart that has changed', async () => {
    const calls: string[] = [];
    let current: typeof order | typeof changed = order;
    const { open, get, clock, sandbox } = createWiredShop({
      createPayment: () => current,
      onPaid: () => void calls.push('paid'),
      onUnexpectedMoney: () => void calls.push('unexpectedMoney'),
    });
    const first = await open();
    current = changed;
    clock.advance(5000);
    await open();
    sandbox.control.transfer({ accountNumber: first.account.number, amount: 1_250_000 });
    clock.advance(5000);
    expect(await (await get(first)).json()).toMatchObject({ outcome: 'replaced', chargedAmount: 1_250_000 });
    expect(calls).toEqual(['unexpectedMoney']);
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
