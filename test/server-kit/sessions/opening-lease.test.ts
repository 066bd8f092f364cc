import { describe, expect, it } from 'vitest';
import type { PaymentInitiation } from '../../../server-kit/api/payment.ts';
import type { Wait } from '../../../server-kit/async/wait.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { createGate } from '../kit/gate.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { createTestClock, pass } from '../kit/test-clock.ts';
import {
  changedOrder,
  changing,
  createCart,
  down,
  hanging,
  onlyFor,
  readSession,
  refusing,
} from '../kit/wire-faults.ts';
import { createWiredShop, order, type Wire } from '../kit/wired-shop.ts';
import { nothingFollows } from '../stores/store-kit.ts';

/** Two instances of one shop: one store, one service, one clock. */
function createTwoInstances() {
  const store = createMemoryStore();
  let isStill = false;
  const clock = createTestClock();
  /** Of an instance that stands still, no wait ends. */
  const wait: Wait = (ms, signal) => {
    const ended = clock.wait(ms, signal);
    return ended.then(() => (isStill ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined));
  };
  const waiting: (() => void)[] = [];
  const life = {
    die: () => {
      isStill = true;
    },
    revive: () => {
      isStill = false;
      for (const resolve of waiting) resolve();
    },
  };
  const one = { ...createWiredShop({ store, wait }, {}, { clock }), ...life };
  const two = createWiredShop({ store }, {}, one);
  return { one, two, clock: one.clock, payments: one.sandbox.control.listPayments };
}

type Send = () => Promise<Response>;
type Intercept = (path: string, send: Send) => Promise<Response>;

/** The first request to initiate a payment meets the fault, and the others pass. */
function once(wire: Wire, fault: Intercept): Intercept {
  return onlyFor('payments', (path, send) => {
    wire.intercept = undefined;
    return fault(path, send);
  });
}

/** The service does the work, and the connection breaks off before its response. */
const losing: Intercept = async (_path, send) => {
  await send();
  throw new TypeError('fetch failed');
};

/** Holds the service's responses back. `atService` resolves when the service has done its work. */
function holdResponses() {
  const [arrived, free] = [createGate(), createGate()];
  const hold: Intercept = async (_path, send) => {
    const response = await send();
    arrived.open();
    await free.opened;
    return response;
  };
  return { hold, atService: arrived.opened, open: free.open };
}

describe('two instances on one store and one service', () => {
  it('give the same account when the response to the first is late', async () => {
    const { one, two, clock, payments } = createTwoInstances();
    const gate = holdResponses();
    one.wire.intercept = gate.hold;
    const first = one.open();
    await gate.atService;
    const second = two.open();
    await pass(clock, 1000);
    gate.open();
    const session = await first;
    await pass(clock, 500);
    const { reference, account, clientSecret } = session;
    expect(await second).toMatchObject({ reference, account, clientSecret });
    expect(payments()).toMatchObject([{ reference: session.reference }]);
  });

  it('give an account within four seconds when the first has ended: it no longer shows that it lives', async () => {
    const { one, two, clock, payments } = createTwoInstances();
    const gate = holdResponses();
    one.wire.intercept = gate.hold;
    const first = one.open();
    await gate.atService;
    one.die();
    const second = two.open();
    await pass(clock, 4000);
    const session = await second;
    expect(payments().map(({ reference }) => reference)).toContain(session.reference);
    expect(payments()).toHaveLength(2);
    void first;
  });

  it('give an account also when the first ended with a clock that is hours ahead', async () => {
    const { two, clock, payments } = createTwoInstances();
    const reference = 'tc_000000000001';
    const createdAt = new Date(clock.now() + 3 * 3_600_000).toISOString();
    const { orderId, amount } = order;
    const opening = { by: 'an-instance-that-has-ended', beats: 3 };
    const left = { reference, orderId, attempt: 1, amount, opened: null, observed: null, opening, createdAt };
    await two.store.insert({ ...left, outcome: 'pending', version: 1 }, { checkAfterMs: 300_000 });
    await two.payments.payments.initiate({ reference, paymentMethod: 'pay_with_transfer', amount });
    const session = two.open();
    await pass(clock, 4000);
    expect((await session).reference).not.toBe(reference);
    expect(payments()).toHaveLength(2);
  });

  it('wait for a live instance, however slow the service is, until shoppers must get a response', async () => {
    const { one, two, clock, payments } = createTwoInstances();
    one.wire.intercept = hanging;
    const first = one.post();
    await clock.untilWaiting(1000);
    const second = two.post();
    await pass(clock, 11_000);
    expect(two.wire.calls).toEqual([]);
    expect(payments()).toEqual([]);
    await pass(clock, 3000);
    expect((await first).status).toBe(503);
    expect([200, 201, 503]).toContain((await second).status);
  });

  it('never show the account of a payment that the other has closed', async () => {
    const { one, two, clock } = createTwoInstances();
    const gate = holdResponses();
    one.wire.intercept = gate.hold;
    const first = one.open();
    await gate.atService;
    // The instance is frozen, and resumes later.
    one.die();
    const second = two.open();
    await pass(clock, 4000);
    const session = await second;
    one.revive();
    gate.open();
    await pass(clock, 4000);
    expect((await first).reference).toBe(session.reference);
  });
});

describe('a response that is lost', () => {
  const failing: Intercept = async (path, send) => {
    const response = await send();
    return response.ok ? refusing(500)(path, send) : response;
  };
  const truncated: Intercept = async (_path, send) => {
    const text = await (await send()).text();
    return new Response(text.slice(0, text.length / 2));
  };

  it.each([
    ['with the connection', losing],
    ['in the middle', truncated],
    ['to a 500 after the work', failing],
  ])('%s, once, costs no second request of the shopper', async (_how, fault) => {
    const { open, wire, sandbox, clock } = createWiredShop();
    wire.intercept = once(wire, fault);
    const before = clock.now();
    const session = await open();
    expect(session.account.number).toMatch(/^\d{10}$/);
    expect(clock.now()).toBe(before);
    expect(sandbox.control.listPayments().map(({ reference }) => reference)).toContain(session.reference);
  });

  it('without a word is made up for within four seconds, also where the callback has come first', async () => {
    const { open, wire, callBack, clock, sandbox } = createNotifiedShop();
    wire.intercept = once(wire, async (_path, send) => {
      const { id, reference } = (await (await send()).json()) as PaymentInitiation;
      const amounts = { expectedAmount: order.amount.value, chargedAmount: 0, currency: 'NGN' };
      await callBack({ id, reference, status: 'initiated', ...amounts, liveMode: false });
      return new Promise<Response>(() => {});
    });
    const session = open();
    await pass(clock, 4000);
    expect(await session).toMatchObject({ outcome: 'pending' });
    expect(sandbox.control.listPayments()).toHaveLength(2);
  });

  it('of a POST that the shopper made before costs the next one nothing, though a callback has come', async () => {
    const { post, open, wire, callBack, clock } = createNotifiedShop();
    wire.intercept = onlyFor('payments', async (_path, send) => {
      const response = await send();
      if (!response.ok) return response;
      const { id, reference } = (await response.json()) as PaymentInitiation;
      const amounts = { expectedAmount: order.amount.value, chargedAmount: 0, currency: 'NGN' };
      await callBack({ id, reference, status: 'initiated', ...amounts, liveMode: false });
      return new Promise<Response>(() => {});
    });
    const refused = post();
    await pass(clock, 14_000);
    expect((await refused).status).toBe(503);
    wire.intercept = undefined;
    const before = clock.now();
    expect(await open()).toMatchObject({ outcome: 'pending' });
    expect(clock.now()).toBe(before);
  });

  it.each([
    ['truncated', truncated, 502],
    ['a 500 after the work', failing, 503],
  ])('repeatedly (%s) is reported to the shopper, after three payments', async (_how, fault, status) => {
    const { post, wire, sandbox } = createWiredShop();
    wire.intercept = fault;
    const response = await post();
    expect(response.status).toBe(status);
    expect(sandbox.control.listPayments()).toHaveLength(3);
  });

  it('of a service that does not respond ends within 15 seconds', async () => {
    const { post, wire, clock } = createWiredShop();
    wire.intercept = hanging;
    const response = post();
    await pass(clock, 15_000);
    expect((await response).status).toBe(503);
    expect((await response).headers.get('retry-after')).toBe('3');
  });

  it('of a service that is silent for a while is requested again soon after', async () => {
    const { open, wire, clock } = createWiredShop();
    wire.intercept = hanging;
    const session = open();
    await pass(clock, 5000);
    wire.intercept = undefined;
    await pass(clock, 1500);
    expect(await session).toMatchObject({ outcome: 'pending' });
  });

  it('is no reason for a second payment where the service is only slow', async () => {
    const { open, wire, clock, sandbox } = createWiredShop();
    wire.intercept = once(wire, async (_path, send) => {
      const response = await send();
      await clock.wait(2500);
      return response;
    });
    const session = open();
    await pass(clock, 3000);
    expect(await session).toMatchObject({ outcome: 'pending' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });
});

describe('a store that says nothing', () => {
  it('does not hold a shopper for longer than 15 seconds', async () => {
    const { post, clock } = createWiredShop({
      store: { ...createMemoryStore(), listByOrder: () => new Promise(() => {}) },
    });
    const response = post();
    await pass(clock, 15_000);
    expect((await response).status).toBe(503);
  });
});

describe('a service that sends a callback before its response', () => {
  it('has its account shown, and its money reported', async () => {
    const { open, wire, callBack, pay, delivered, notified, events, sandbox } = createNotifiedShop();
    wire.intercept = onlyFor('payments', async (_path, send) => {
      const response = await send();
      const { id, reference } = (await response.clone().json()) as PaymentInitiation;
      const amounts = { expectedAmount: order.amount.value, chargedAmount: 0, currency: 'NGN' };
      await callBack({ id, reference, status: 'initiated', ...amounts, liveMode: false });
      return response;
    });
    const session = await open();
    expect(events()).toEqual(['verify payment']);
    expect(sandbox.control.listPayments()).toMatchObject([{ reference: session.reference }]);
    pay(session.account.number);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
  });
});

describe('one instance with requests at two prices at once', () => {
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

describe('a payment without an account', () => {
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

describe('a response to initiate', () => {
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
    const response = await post();
    expect(response.status).toBe(201);
    expect(await response.clone().text()).not.toMatch(/tok_1|customer|metadata/);
    expect(await readSession(response)).toMatchObject({ outcome: 'pending' });
  });
});

describe('a store whose updates are always lost', () => {
  const losing = (): Store => ({ ...createMemoryStore(), update: async () => undefined });

  it('ends with an error, and not with accounts without end', async () => {
    const { post, clock, sandbox, errors } = createWiredShop({ store: losing() });
    expect((await post()).status).toBe(500);
    expect(errors).toMatchObject([{ code: 'internal_error' }]);
    expect(sandbox.control.listPayments()).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });
});
