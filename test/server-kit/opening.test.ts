import { describe, expect, it } from 'vitest';
import type { PaymentInitiation } from '../../server-kit/api/payment.ts';
import { createMemoryStore } from '../../server-kit/stores/memory.ts';
import type { Store } from '../../server-kit/stores/store.ts';
import { createToldShop } from './engine-kit.ts';
import { nothingFollows } from './stores/store-kit.ts';
import { changedOrder, changing, createCart, down, onlyFor, readSession } from './wire-faults.ts';
import { createWiredShop, order } from './wired-shop.ts';

/** Two instances of one shop: one store, one service, one clock. */
function createTwoInstances() {
  const store = createMemoryStore();
  const one = createWiredShop({ store });
  const two = createWiredShop({ store }, {}, one);
  return { one, two, clock: one.clock, payments: one.sandbox.control.listPayments };
}

/** Holds the service's answers back. `atService` resolves when the service has done its work. */
function createGate() {
  let arrived = (): void => {};
  let open = (): void => {};
  const atService = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const hold = async (_path: string, send: () => Promise<Response>): Promise<Response> => {
    const answer = await send();
    arrived();
    await opened;
    return answer;
  };
  return { hold, atService, open: () => open() };
}

describe('two instances on one store and one service', () => {
  it('give the same account when the answer to the first is late', async () => {
    const { one, two, clock, payments } = createTwoInstances();
    const gate = createGate();
    one.wire.intercept = gate.hold;
    const first = one.open();
    await gate.atService;
    const second = two.open();
    await clock.untilWaiting(500);
    clock.advance(500);
    await clock.untilWaiting(500);
    gate.open();
    const session = await first;
    clock.advance(500);
    const { reference, account, clientSecret } = session;
    expect(await second).toMatchObject({ reference, account, clientSecret });
    expect(payments()).toMatchObject([{ reference: session.reference }]);
  });

  it('give an account also when the first never comes back: the second waits for it, then opens its own', async () => {
    const { one, two, clock, payments } = createTwoInstances();
    const gate = createGate();
    one.wire.intercept = gate.hold;
    one.open();
    await gate.atService;
    const second = two.open();
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 500) {
      expect(payments()).toHaveLength(1);
      await clock.untilWaiting(500);
      clock.advance(500);
    }
    const session = await second;
    expect(payments().map(({ reference }) => reference)).toContain(session.reference);
    expect(payments()).toHaveLength(2);
  });

  it('give an account also when the first died with a clock that is hours ahead', async () => {
    const { two, clock, payments } = createTwoInstances();
    const reference = 'tc_000000000001';
    const createdAt = new Date(clock.now() + 3 * 3_600_000).toISOString();
    const { orderId, amount } = order;
    const left = { reference, orderId, attempt: 1, amount, opened: null, observed: null, createdAt };
    await two.store.insert({ ...left, outcome: 'pending', version: 1 }, { checkAfterMs: 300_000 });
    await two.payments.payments.initiate({ reference, paymentMethod: 'pay_with_transfer', amount });
    const session = two.open();
    for (let rereads = 0; rereads < 40; rereads++) {
      await clock.untilWaiting(500);
      clock.advance(500);
    }
    expect((await session).reference).not.toBe(reference);
    expect(payments()).toHaveLength(2);
  });

  it('never show the account of an attempt that the other has closed', async () => {
    const { one, two, clock } = createTwoInstances();
    const gate = createGate();
    one.wire.intercept = gate.hold;
    const first = one.open();
    await gate.atService;
    const second = two.open();
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 500) {
      await clock.untilWaiting(500);
      clock.advance(500);
    }
    const session = await second;
    gate.open();
    expect((await first).reference).toBe(session.reference);
  });
});

describe('a service that calls back before it has answered', () => {
  it('has its account shown, and its money told of', async () => {
    const { open, wire, callBack, pay, delivered, told, events, sandbox } = createToldShop();
    wire.intercept = onlyFor('payments', async (_path, send) => {
      const answer = await send();
      const { id, reference } = (await answer.clone().json()) as PaymentInitiation;
      const amounts = { expectedAmount: order.amount.value, chargedAmount: 0, currency: 'NGN' };
      await callBack({ id, reference, status: 'initiated', ...amounts, liveMode: false });
      return answer;
    });
    const session = await open();
    expect(events()).toEqual(['look payment']);
    expect(sandbox.control.listPayments()).toMatchObject([{ reference: session.reference }]);
    pay(session.account.number);
    await delivered();
    expect(told).toEqual(['order-1:paid']);
  });
});

describe('one instance, asked for two prices at once', () => {
  it('ends with one payable account, the one of the later price', async () => {
    const { checkout, store } = createWiredShop();
    const [first, second] = await Promise.all([
      checkout.createSession(order),
      checkout.createSession(changedOrder),
    ]);
    expect(second).toMatchObject({ amount: changedOrder.amount, outcome: 'pending' });
    const attempts = await store.listByOrder(order.orderId);
    expect(attempts).toMatchObject([
      { reference: first.reference, outcome: 'replaced' },
      { reference: second.reference, outcome: 'pending' },
    ]);
  });
});

describe('an attempt without an account', () => {
  it('is closed without a call when the price has changed meanwhile', async () => {
    const cart = createCart();
    const { post, open, wire, store, sandbox } = createWiredShop({ createPayment: cart.createPayment });
    wire.intercept = down;
    expect((await post()).status).toBe(503);
    wire.intercept = undefined;
    cart.change();
    const session = await open();
    expect(session.amount).toEqual(changedOrder.amount);
    expect(sandbox.control.listPayments()).toMatchObject([{ reference: session.reference }]);
    expect(await store.listByOrder(order.orderId)).toMatchObject([
      { attempt: 1, outcome: 'replaced', opened: null },
      { attempt: 2, outcome: 'pending' },
    ]);
  });

  it('cannot be read, even with a right secret', async () => {
    const { get, open, store } = createWiredShop();
    const session = await open();
    const record = await store.findByReference(session.reference);
    if (record !== undefined) await store.update({ ...record, opened: null }, nothingFollows);
    expect((await get(session)).status).toBe(401);
  });
});

describe('an answer to initiate', () => {
  it('over another reference is not believed, and shown to nobody', async () => {
    const { post, wire, errors, store } = createWiredShop();
    wire.intercept = changing({ reference: 'tc_somebodyelse' });
    expect((await post()).status).toBe(502);
    expect(errors).toMatchObject([{ code: 'service_rejected', cause: { code: 'invalid_response' } }]);
    expect(await store.listByOrder(order.orderId)).toMatchObject([{ opened: null }]);
  });

  it('over another currency is not believed', async () => {
    const { post, wire } = createWiredShop();
    wire.intercept = changing({ amount: { ...order.amount, currency: 'USD' } });
    expect((await post()).status).toBe(502);
  });

  it('that names the service’s customer, or anything else, brings nothing of it to the browser', async () => {
    const { post, wire } = createWiredShop();
    wire.intercept = changing({ accessToken: 'tok_1', customer: { id: 12 }, metadata: [] });
    const answer = await post();
    expect(answer.status).toBe(201);
    expect(await answer.clone().text()).not.toMatch(/tok_1|customer|metadata/);
    expect(await readSession(answer)).toMatchObject({ outcome: 'pending' });
  });
});

describe('a store whose updates are always lost', () => {
  const losing = (): Store => ({ ...createMemoryStore(), update: async () => undefined });

  it('ends with an error, and not with accounts without end', async () => {
    const { post, clock, sandbox, errors } = createWiredShop({ store: losing() });
    const answer = post();
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 500) {
      await clock.untilWaiting(500);
      clock.advance(500);
    }
    expect((await answer).status).toBe(500);
    expect(errors).toMatchObject([{ code: 'internal_error' }]);
    expect(sandbox.control.listPayments()).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });
});
