import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../../server-kit/buses/memory.ts';
import { createPaymentsClient } from '../../../server-kit/client/client.ts';
import { createSandbox } from '../../../server-kit/sandbox/index.ts';
import type { PaymentLink } from '../../../server-kit/sessions/session.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { createTestClock, pass } from '../kit/test-clock.ts';
import {
  changedOrder,
  changing,
  createCart,
  hanging,
  onlyFor,
  readSession,
  readView,
  refusing,
} from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

const minuteMs = 60_000;
const { value: price } = order.amount;

describe('money that is recorded while the next account is being made', () => {
  async function chargedMeanwhile(path: string) {
    const shop = createNotifiedShop({}, { confirmationSeconds: 60 });
    const first = await shop.open();
    shop.clock.advance(31 * minuteMs);
    shop.wire.intercept = async (called, send) => {
      if (!called.endsWith('/payments') && !called.endsWith('/checkout')) return send();
      shop.wire.intercept = undefined;
      const response = await send();
      shop.pay(first.account.number);
      await shop.delivered();
      expect(await shop.store.findByReference(first.reference)).toMatchObject({
        observed: { status: 'charged', chargedAmount: price },
      });
      return response;
    };
    const session = await readSession(shop.post({}, '{}', path));
    return { ...shop, first, session };
  }

  it('is what the response shows, and not the new account', async () => {
    const { first, session } = await chargedMeanwhile('/checkout/sessions');
    expect(session).toMatchObject({ status: 'charged', account: first.account });
  });

  it('keeps a shopper from being sent to the page of a link', async () => {
    const { session } = await chargedMeanwhile('/checkout/links');
    expect((session as PaymentLink).authorizationUrl).toBe('https://shop.example/');
  });
});

describe('an order with one account that is charged in full and a later one that is paid in part', () => {
  it('does not ask for the rest', async () => {
    const shop = createNotifiedShop({}, { confirmationSeconds: 600 });
    const first = await shop.open();
    shop.clock.advance(31 * minuteMs);
    const second = await shop.open();
    shop.sandbox.control.updatePayment(second.reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    shop.sandbox.control.transfer({ accountNumber: second.account.number, amount: 5000 });
    await shop.delivered();
    shop.pay(first.account.number);
    await shop.delivered();
    shop.clock.advance(5000);
    expect(await readView(shop.get(second))).toMatchObject({
      status: 'charged',
      paymentReference: first.reference,
      chargedAmount: price,
    });
  });
});

describe('a 404 for an unopened link that was on its way while another instance saw money', () => {
  it('does not expire the payment', async () => {
    const [store, bus, clock] = [createMemoryStore(), createMemoryBus(), createTestClock()];
    const notified: string[] = [];
    const note = ({ idempotencyKey }: { idempotencyKey: string }): void => void notified.push(idempotencyKey);
    const options = { store, bus, onExpired: note, onUnexpectedMoney: note, onPaid: note };
    const one = createWiredShop(options, { confirmationSeconds: 60 }, { clock });
    const link = await one.checkout.createLink(order);
    const two = createWiredShop(options, {}, { clock, sandbox: one.sandbox });
    clock.advance(Date.parse(link.expiresAt) - clock.now() - 1000);
    const payment = one.sandbox.control.openCheckoutLink(link.authorizationUrl.split('/').at(-1) ?? '');
    one.sandbox.control.transfer({ accountNumber: payment.accountNumber, amount: price });
    clock.advance(7000);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    // A node of the service that does not know the payment yet.
    two.wire.intercept = async (path, send) => {
      isAsked();
      await released;
      return refusing(404)(path, send);
    };
    const slow = two.get(link);
    await asked;
    await one.get(link);
    expect(await store.findByReference(link.reference)).toMatchObject({
      outcome: 'pending',
      observed: { status: 'charged' },
    });
    release();
    await slow;
    expect(await store.findByReference(link.reference)).toMatchObject({ outcome: 'pending' });
    expect(notified).toEqual([]);
  });
});

describe('a link whose first response named another payment, which had failed', () => {
  it('is paid all the same', async () => {
    const shop = createNotifiedShop();
    const link = await shop.checkout.createLink(order);
    const payment = shop.sandbox.control.openCheckoutLink(link.authorizationUrl.split('/').at(-1) ?? '');
    shop.wire.intercept = onlyFor('verify', changing({ id: 'pay_other', status: 'failed' }));
    shop.clock.advance(5000);
    await shop.get(link);
    shop.wire.intercept = undefined;
    shop.pay(payment.accountNumber);
    for (let round = 0; round < 10; round++) {
      await shop.delivered();
      shop.clock.advance(70 * minuteMs);
      await shop.checkout.reconcile();
    }
    expect(shop.notified).toContain('order-1:paid');
  });
});

describe('a replaced payment that the service called reversed once', () => {
  it('has its money reported', async () => {
    const cart = createCart();
    const shop = createNotifiedShop({ createPayment: cart.createPayment });
    const first = await shop.open();
    cart.change();
    shop.clock.advance(5000);
    await shop.open();
    shop.wire.intercept = (path, send) =>
      path.includes(first.reference) ? changing({ status: 'reversed' })(path, send) : send();
    shop.clock.advance(5000);
    await shop.get(first);
    shop.wire.intercept = undefined;
    shop.pay(first.account.number);
    await shop.delivered();
    expect(shop.notified).toEqual([`order-1:unexpectedMoney:${first.reference}`]);
    expect(shop.log).toContainEqual(
      expect.objectContaining({ type: 'reversedUnpaid', reference: first.reference }),
    );
  });
});

describe('the money on all payments', () => {
  it('is the sum of one currency', async () => {
    let current: typeof order | { orderId: string; amount: { value: number; currency: 'USD' } } = order;
    const shop = createNotifiedShop({ createPayment: () => current });
    const first = await shop.open();
    current = { orderId: order.orderId, amount: { value: 900, currency: 'USD' } };
    shop.clock.advance(5000);
    const second = await shop.open();
    expect(second).toMatchObject({ amount: { currency: 'USD' } });
    shop.pay(first.account.number);
    await shop.delivered();
    shop.clock.advance(5000);
    expect(await readView(shop.get(second))).not.toHaveProperty('orderChargedAmount');
  });
});

describe('a service that is slow to make a payment, and refuses the reference meanwhile', () => {
  it('gives an account after nine seconds', async () => {
    const latencyMs = 9000;
    const shop = createWiredShop();
    const { wire, clock } = shop;
    wire.intercept = async (path, send) => {
      const response = await send();
      if (path.endsWith('/payments') && response.ok) await clock.wait(latencyMs);
      return response;
    };
    const statuses: number[] = [];
    for (let click = 0; click < 3; click++) {
      const response = shop.post();
      await pass(clock, 16_000);
      statuses.push((await response).status);
    }
    expect(statuses.filter((status) => status < 300)).not.toEqual([]);
  });
});

describe('a service that says 429 with Retry-After', () => {
  it('is not asked to make a payment before that', async () => {
    const clock = createTestClock();
    const sandbox = createSandbox({ now: clock.now });
    const calls: number[] = [];
    const payments = createPaymentsClient({
      baseUrl: 'https://service.example',
      apiSecret: 'sk_test_sandbox',
      now: clock.now,
      wait: clock.wait,
      random: () => 0,
      async fetch(input, init) {
        if (new URL(String(input)).pathname !== '/v1/payments') return sandbox.fetch(String(input), init);
        calls.push(clock.now());
        const error = { type: 'api_error', code: 'slow_down', message: 'no', params: [] };
        return Response.json({ error }, { status: 429, headers: { 'retry-after': '5' } });
      },
    });
    const shop = createWiredShop({ payments }, {}, { clock, sandbox });
    const response = shop.post();
    await pass(clock, 16_000);
    expect((await response).status).toBe(503);
    const gaps = calls.slice(1).map((at, index) => at - (calls[index] ?? 0));
    expect(gaps.filter((gap) => gap < 5000)).toEqual([]);
  });
});

describe('two instances with requests for the same order at two prices', () => {
  it('settle on one', async () => {
    const [store, bus, clock] = [createMemoryStore(), createMemoryBus(), createTestClock()];
    const one = createWiredShop({ store, bus }, {}, { clock });
    const two = createWiredShop(
      { store, bus, createPayment: () => changedOrder },
      {},
      { clock, sandbox: one.sandbox },
    );
    for (const { wire } of [one, two]) {
      wire.intercept = async (path, send) => {
        const response = await send();
        if (path.endsWith('/payments')) await clock.wait(500);
        return response;
      };
    }
    const first = one.post();
    await pass(clock, 250);
    const second = two.post();
    await pass(clock, 16_000);
    const statuses = [(await first).status, (await second).status];
    expect({ statuses, made: one.sandbox.control.listPayments().length }).toEqual({
      statuses: [201, 201],
      made: 2,
    });
  });
});

describe('a held request', () => {
  it('hears at once of what another instance has stored, while a verification of an earlier payment hangs', async () => {
    const [store, bus, clock] = [createMemoryStore(), createMemoryBus(), createTestClock()];
    const one = createWiredShop({ store, bus }, {}, { clock });
    const first = await one.open();
    clock.advance(31 * minuteMs);
    const second = await one.open();
    clock.advance(5000);
    const two = createWiredShop({ store, bus }, {}, { clock, sandbox: one.sandbox });
    const etag = (await two.get(second)).headers.get('etag') ?? '';
    clock.advance(3000);
    two.wire.intercept = (path, send) => (path.includes(first.reference) ? hanging(path, send) : send());
    let answeredAt = 0;
    const held = two.get(second, { 'if-none-match': etag, prefer: 'wait=25' }).then((response) => {
      answeredAt = clock.now();
      return response;
    });
    await pass(clock, 500);
    one.sandbox.control.transfer({ accountNumber: second.account.number, amount: price });
    await one.get(second);
    expect(await store.findByReference(second.reference)).toMatchObject({ outcome: 'paid' });
    const storedAt = clock.now();
    await pass(clock, 26_000);
    await held;
    expect(answeredAt - storedAt).toBeLessThanOrEqual(1000);
  });
});

describe('a process that ends between the payment and its siblings', () => {
  it('leaves the closing of the later account to the next round', async () => {
    const store = createMemoryStore();
    let fails = false;
    let isWritten = false;
    const faulty: typeof store = {
      ...store,
      async update(...input) {
        const stored = await store.update(...input);
        isWritten ||= stored?.outcome === 'paid';
        return stored;
      },
      listByOrder: (orderId) =>
        fails && isWritten ? Promise.reject(new Error('killed')) : store.listByOrder(orderId),
    };
    const shop = createNotifiedShop({ store: faulty });
    const first = await shop.open();
    shop.clock.advance(31 * minuteMs);
    const second = await shop.open();
    shop.clock.advance(5000);
    fails = true;
    shop.pay(first.account.number);
    await shop.delivered();
    fails = false;
    expect(await store.findByReference(first.reference)).toMatchObject({ outcome: 'paid' });
    for (let round = 0; round < 10; round++) {
      shop.clock.advance(2 * minuteMs);
      await shop.checkout.reconcile();
      await shop.get(second);
    }
    expect(await store.findByReference(second.reference)).toMatchObject({ outcome: 'replaced' });
  });
});

describe('a payment whose instance has died after some beats', () => {
  it('is opened within three seconds of the silence', async () => {
    const [store, bus, clock] = [createMemoryStore(), createMemoryBus(), createTestClock()];
    const one = createWiredShop({ store, bus }, {}, { clock });
    const two = createWiredShop({ store, bus }, {}, { clock, sandbox: one.sandbox });
    const record = {
      reference: 'ord_dead',
      orderId: order.orderId,
      attempt: 1,
      amount: order.amount,
      opened: null,
      observed: null,
      outcome: 'pending',
      opening: { by: 'one', beats: 0 },
      createdAt: new Date(clock.now()).toISOString(),
      version: 1,
    } as const;
    await store.insert(record, { checkAfterMs: 300_000 });
    const from = clock.now();
    let at = 0;
    const response = two.post().then((response) => {
      at = clock.now();
      return response;
    });
    await pass(clock, 1000);
    await store.update(
      { ...record, opening: { by: 'one', beats: 1 } },
      { checkAfterMs: 300_000, outcomes: [] },
    );
    await pass(clock, 12_000);
    expect((await response).status).toBe(201);
    expect(at - from).toBeLessThanOrEqual(1000 + 3000);
  });
});

describe('a reversal whose fees cannot be read, where amounts are net', () => {
  it('is reported', async () => {
    const shop = createNotifiedShop({}, { dialect: { chargedAmountBasis: 'net' } });
    const session = await shop.open();
    shop.pay(session.account.number);
    await shop.delivered();
    expect(shop.notified).toEqual(['order-1:paid']);
    shop.wire.intercept = onlyFor(
      'verify',
      changing({ status: 'reversed', emtl: 'free', updatedAt: '2026-03-01T13:00:00.000Z' }),
    );
    shop.clock.advance(2 * minuteMs);
    await shop.get(session);
    expect(shop.notified).toEqual(['order-1:paid', 'order-1:reversed']);
  });
});

describe('a link that got a response with a wrong id twice, days apart', () => {
  it('keeps the payment that it has', async () => {
    const shop = createNotifiedShop();
    const link = await shop.checkout.createLink(order);
    shop.sandbox.control.openCheckoutLink(link.authorizationUrl.split('/').at(-1) ?? '');
    const poll = async (): Promise<void> => {
      shop.clock.advance(5000);
      await shop.get(link);
    };
    await poll();
    const before = await shop.store.findByReference(link.reference);
    for (let time = 0; time < 2; time++) {
      shop.wire.intercept = onlyFor('verify', changing({ id: 'pay_other' }));
      await poll();
      shop.wire.intercept = undefined;
      if (time === 0) for (let right = 0; right < 5; right++) await poll();
    }
    const after = await shop.store.findByReference(link.reference);
    expect(after?.opened?.paymentId).toBe(before?.opened?.paymentId);
  });
});

describe('expiresAt of an account that is hours later than requested', () => {
  it('does not have it verified each minute after it has failed', async () => {
    const { wire, clock, checkout, post, sandbox } = createWiredShop();
    wire.intercept = onlyFor('payments', changing({ expiresAt: '2026-12-31T00:00:00.000Z' }));
    const { reference } = await readSession(post());
    wire.intercept = undefined;
    sandbox.control.updatePayment(reference, { status: 'failed' });
    wire.calls.length = 0;
    for (let minute = 0; minute < 600; minute++) {
      clock.advance(minuteMs);
      await checkout.reconcile();
    }
    expect(wire.calls.length).toBeLessThan(60);
  });
});

describe('updatedAt of a paid payment that is long past', () => {
  it('does not end the watch for its reversal', async () => {
    const shop = createNotifiedShop();
    const session = await shop.open();
    shop.wire.intercept = onlyFor('verify', changing({ updatedAt: '1970-01-01T00:00:00.000Z' }));
    shop.pay(session.account.number);
    await shop.delivered();
    expect(shop.notified).toEqual(['order-1:paid']);
    shop.wire.intercept = undefined;
    shop.sandbox.control.setCallbackDelivery({ drop: 1 });
    shop.sandbox.control.updatePayment(session.reference, { status: 'reversed' });
    for (let hour = 0; hour < 48; hour++) {
      shop.clock.advance(60 * minuteMs);
      await shop.checkout.reconcile();
      await shop.checkout.settled();
    }
    expect(shop.notified).toEqual(['order-1:paid', 'order-1:reversed']);
  });
});

describe('an order that was paid twice, by nodes whose clocks differ', () => {
  it('stays paid by the payment that was reported', async () => {
    const shop = createNotifiedShop();
    const first = await shop.open();
    shop.clock.advance(31 * minuteMs);
    const second = await shop.open();
    shop.clock.advance(31 * minuteMs);
    await shop.checkout.reconcile();
    shop.pay(first.account.number);
    await shop.delivered();
    expect(await shop.store.findByReference(second.reference)).toMatchObject({ outcome: 'expired' });
    shop.wire.intercept = (path, send) =>
      path.includes(second.reference)
        ? changing({ updatedAt: '2026-03-01T12:30:00.000Z' })(path, send)
        : send();
    shop.pay(second.account.number);
    await shop.delivered();
    expect(shop.notified.filter((key) => !key.endsWith('expired'))).toEqual([
      'order-1:paid',
      `order-1:unexpectedMoney:${second.reference}`,
    ]);
    const { reference, paymentReference = reference } = await readView(shop.get(second));
    expect(paymentReference).toBe(first.reference);
  });
});
