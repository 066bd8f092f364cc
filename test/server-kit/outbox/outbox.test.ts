import { describe, expect, it } from 'vitest';
import type { OutcomeEvent, OutcomeHandlers } from '../../../server-kit/outbox/handlers.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { createGate } from '../kit/gate.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { changing } from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

type ShopOptions = NonNullable<Parameters<typeof createWiredShop>[0]>;

const retryMs = 600;

/** A shop with an open payment whose money has arrived and has not been verified yet. */
async function shopWithMoney(options: ShopOptions = {}, change: (store: Store) => Store = (store) => store) {
  const clock = createTestClock();
  const inner = createMemoryStore({ now: clock.now });
  const store = change(inner);
  const shop = createWiredShop({ store, random: () => 0, ...options }, {}, { clock });
  const session = await shop.open();
  shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
  clock.advance(5000);
  const poll = () => shop.get(session);
  const retry = async (): Promise<void> => {
    clock.advance(retryMs);
    await shop.checkout.settled();
  };
  /** Another instance on the same store. */
  const other = (handlers: ShopOptions) => createWiredShop({ store: inner, ...handlers }, {}, shop);
  return { ...shop, inner, session, poll, retry, other };
}

const nameOf = ({ idempotencyKey }: OutcomeEvent): string => idempotencyKey;

/** Handlers that record the keys of their events. */
function notingHandlers() {
  const notified: string[] = [];
  const note = (event: OutcomeEvent): void => void notified.push(nameOf(event));
  const handlers: OutcomeHandlers = {
    onPaid: note,
    onFailed: note,
    onExpired: note,
    onReversed: note,
    onAmountMismatch: note,
    onUnexpectedMoney: note,
  };
  return { notified, handlers };
}

describe('the merchant’s handlers', () => {
  it('is that an order is paid, and later that the money was taken back', async () => {
    const { notified, handlers } = notingHandlers();
    const { poll, clock, sandbox, session } = await shopWithMoney(handlers);
    await poll();
    sandbox.control.updatePayment(session.reference, { status: 'reversed' });
    clock.advance(60_000);
    await poll();
    expect(notified).toEqual(['order-1:paid', 'order-1:reversed']);
  });

  it('is that an account has expired, and that late money has come on it', async () => {
    const { notified, handlers } = notingHandlers();
    const late: boolean[] = [];
    const { open, get, clock, sandbox } = createWiredShop({
      ...handlers,
      onPaid: (event) => void late.push(event.late),
    });
    const session = await open();
    clock.advance(31 * 60_000);
    await get(session);
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    await get(session);
    expect(notified).toEqual(['order-1:expired']);
    expect(late).toEqual([true]);
  });

  it.each([
    ['failed', { status: 'failed', chargedAmount: 0 }],
    ['amountMismatch', { chargedAmount: order.amount.value - 1 }],
  ])('is the outcome %s', async (outcome, response) => {
    const { notified, handlers } = notingHandlers();
    const { poll, wire } = await shopWithMoney(handlers);
    wire.intercept = changing(response);
    await poll();
    expect(notified).toEqual([`order-1:${outcome}`]);
  });

  it('is how much came above the amount', async () => {
    const excess: unknown[] = [];
    const { poll, wire } = await shopWithMoney({ onPaid: (event) => void excess.push(event.excess) });
    wire.intercept = changing({ chargedAmount: order.amount.value + 500 });
    await poll();
    expect(excess).toEqual([{ value: 500, currency: 'NGN' }]);
  });

  it('is done at once where only this outcome has no handler', async () => {
    const { poll, inner, wire } = await shopWithMoney({ onPaid: () => {} });
    wire.intercept = changing({ status: 'failed', chargedAmount: 0 });
    await poll();
    expect(await inner.measure()).toMatchObject({ pendingOutboxEvents: 0 });
  });

  it('is left to other instances where there is no handler at all', async () => {
    const { poll, inner, other } = await shopWithMoney();
    await poll();
    expect(await inner.measure()).toMatchObject({ pendingOutboxEvents: 1 });
    const { notified, handlers } = notingHandlers();
    const next = other(handlers);
    next.checkout.start();
    await next.checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
    await next.checkout.stop();
  });
});

describe('a handler that throws', () => {
  it('hears that the money was in time although the service has touched the payment later', async () => {
    const late = new Set<boolean>();
    let hasStock = false;
    const { poll, wire, clock, checkout } = await shopWithMoney({
      onPaid: (event) => {
        late.add(event.late);
        if (!hasStock) throw new Error('no stock');
      },
    });
    await poll();
    clock.advance(31 * 60_000);
    wire.intercept = changing({ updatedAt: new Date(clock.now()).toISOString() });
    await poll();
    hasStock = true;
    clock.advance(600_000);
    await checkout.settled();
    expect([...late]).toEqual([false]);
  });

  it('is called again, ever later, with the same key', async () => {
    const keys: string[] = [];
    const { poll, retry, errors, clock, checkout } = await shopWithMoney({
      onPaid: async (event) => {
        keys.push(nameOf(event));
        if (keys.length < 3) throw new Error('no stock');
      },
    });
    await poll();
    expect(keys).toHaveLength(1);
    clock.advance(retryMs - 1);
    await checkout.settled();
    expect(keys).toHaveLength(1);
    await retry();
    expect(keys).toHaveLength(2);
    clock.advance(1100);
    await checkout.settled();
    expect(keys).toEqual(['order-1:paid', 'order-1:paid', 'order-1:paid']);
    expect(errors).toMatchObject([{ message: 'no stock' }, { message: 'no stock' }]);
    expect(clock.pending()).toBe(0);
  });

  it.each([undefined, Object.create(null), Object.assign(new Error(), { message: 42 })])(
    'is called again whatever it throws: %o',
    async (thrown) => {
      let calls = 0;
      const { poll, retry } = await shopWithMoney({
        onPaid: () => {
          if (++calls === 1) throw thrown;
        },
      });
      await poll();
      await retry();
      expect(calls).toBe(2);
    },
  );

  it('too often becomes a dead letter, is logged, and is called again when a person retries it', async () => {
    let isBroken = true;
    let calls = 0;
    const { poll, retry, errors, checkout, clock } = await shopWithMoney({
      maxHandlerTries: 2,
      onPaid: () => {
        calls++;
        if (isBroken) throw new Error('no stock');
      },
    });
    await poll();
    await retry();
    clock.advance(3_600_000);
    await checkout.settled();
    expect(calls).toBe(2);
    expect(errors.at(-1)).toMatchObject({
      message: expect.stringContaining("deadLetters.retry('order-1:paid')"),
    });
    expect(await checkout.deadLetters.list()).toMatchObject([{ key: 'order-1:paid', failure: 'no stock' }]);
    isBroken = false;
    expect(await checkout.deadLetters.retry('order-1:paid')).toBe(true);
    await checkout.settled();
    expect(calls).toBe(3);
    expect(await checkout.deadLetters.list()).toEqual([]);
    expect(await checkout.deadLetters.retry('order-1:paid')).toBe(false);
  });

  it.each([
    ['a whole document', new Error('x'.repeat(5_000_000)), 'x'.repeat(2000)],
    ['what is no text', { toString: () => Symbol('no') }, 'The thrown value has no text.'],
  ])('is kept in few words, also where %s is thrown', async (_what, thrown, failure) => {
    const { poll, checkout } = await shopWithMoney({
      maxHandlerTries: 1,
      onPaid: () => {
        throw thrown;
      },
    });
    await poll();
    await checkout.settled();
    const [{ failure: kept } = { failure: null }] = await checkout.deadLetters.list();
    expect(kept === failure).toBe(true);
  });
});

describe('a handler that ends its process', () => {
  /** A shop with a paid order whose handler has ended so many processes. */
  async function shopAfterCrashes(crashes: number) {
    const shop = await shopWithMoney({ onPaid: () => {} }, (store) => ({
      ...store,
      claimOutboxEvent: async () => undefined,
    }));
    await shop.poll();
    for (let processes = 0; processes < crashes; processes++) {
      await shop.inner.claimOutboxEvent({ leaseMs: 30_000 });
      shop.clock.advance(30_000);
    }
    return shop;
  }

  it('becomes a dead letter after as many tries as one that fails, and is called once more on a retry', async () => {
    const { notified, handlers } = notingHandlers();
    const { other } = await shopAfterCrashes(3);
    const next = other({ ...handlers, maxHandlerTries: 3 });
    next.checkout.start();
    await next.checkout.settled();
    expect(notified).toEqual([]);
    expect(await next.checkout.deadLetters.list()).toMatchObject([
      { key: 'order-1:paid', failure: expect.stringContaining('started 3 times') },
    ]);
    await next.checkout.deadLetters.retry('order-1:paid');
    await next.checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
    await next.checkout.stop();
  });

  it('pauses as long as after a failure once it was started twenty times', async () => {
    const { notified, handlers } = notingHandlers();
    const { other, clock } = await shopAfterCrashes(20);
    const next = other({ ...handlers, random: () => 0 });
    next.checkout.start();
    await next.checkout.settled();
    expect(notified).toEqual([]);
    expect(await next.checkout.deadLetters.list()).toEqual([]);
    // Half of an hour, with this jitter.
    clock.advance(1_799_000);
    await next.checkout.settled();
    expect(notified).toEqual([]);
    clock.advance(2000);
    await next.checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
    await next.checkout.stop();
  });
});

describe('instances that share a store', () => {
  it('call the handler once, however many requests poll at once', async () => {
    const { notified, handlers } = notingHandlers();
    const { poll, other, session, get } = await shopWithMoney(handlers);
    const second = other(handlers);
    await Promise.all([poll(), second.get(session), poll(), second.get(session), get(session)]);
    expect(notified).toEqual(['order-1:paid']);
  });

  it('take over what a crashed instance has written and not delivered', async () => {
    const { notified, handlers } = notingHandlers();
    // Dies between the write and the handler.
    const { poll, other } = await shopWithMoney({ onPaid: () => {} }, (store) => ({
      ...store,
      claimOutboxEvent: () => Promise.reject(new Error('the process has ended')),
    }));
    await poll();
    const next = other(handlers);
    next.checkout.start();
    await next.checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
    await next.checkout.stop();
  });

  it('take over from one that died in its handler, after its lease', async () => {
    const { notified, handlers } = notingHandlers();
    const { inner, poll, other, clock } = await shopWithMoney({ onPaid: () => {} }, (store) => ({
      ...store,
      finishOutboxEvent: () => Promise.reject(new Error('the process has ended')),
      failOutboxEvent: () => Promise.reject(new Error('the process has ended')),
    }));
    await poll();
    const next = other(handlers);
    expect(await inner.claimOutboxEvent({ leaseMs: 1 })).toBeUndefined();
    clock.advance(30_000);
    next.checkout.start();
    await next.checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
    await next.checkout.stop();
  });
});

describe('a handler that takes long', () => {
  /** Its handler waits for the gate. `poll` does not wait for it. */
  async function shopWithSlowHandler(change?: (store: Store) => Store) {
    const [gate, begun] = [createGate(), createGate()];
    const signals: AbortSignal[] = [];
    const onPaid = async ({ signal }: OutcomeEvent): Promise<void> => {
      signals.push(signal);
      begun.open();
      await gate.opened;
    };
    const shop = await shopWithMoney({ onPaid }, change);
    const polled = shop.poll();
    await begun.opened;
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 10_000) {
        shop.clock.advance(10_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { ...shop, gate, signals, polled, pass };
  }

  it('keeps its lease, and is not called by another instance', async () => {
    const { other, gate, polled, pass, signals, clock, errors } = await shopWithSlowHandler();
    const { notified, handlers } = notingHandlers();
    const next = other(handlers);
    next.checkout.start();
    await pass(120_000);
    expect(notified).toEqual([]);
    expect(signals[0]?.aborted).toBe(false);
    gate.open();
    await polled;
    await next.checkout.stop();
    expect(notified).toEqual([]);
    expect(errors).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('gets an aborted signal when its lease is lost, and cannot mark the event as done', async () => {
    let isCut = false;
    const { inner, gate, polled, pass, signals, errors } = await shopWithSlowHandler((store) => ({
      ...store,
      renewOutboxEvent: (...args) => (isCut ? Promise.resolve(false) : store.renewOutboxEvent(...args)),
    }));
    isCut = true;
    // The process slept through its lease, and another has begun.
    await pass(10_000);
    expect(signals[0]?.aborted).toBe(true);
    gate.open();
    await polled;
    expect(errors).toMatchObject([{ message: expect.stringContaining('was lost') }]);
    expect(await inner.measure()).toMatchObject({ pendingOutboxEvents: 1 });
  });

  it('and whose end comes after its lease has gone to another changes nothing', async () => {
    const { inner, gate, polled, clock, log } = await shopWithSlowHandler((store) => ({
      ...store,
      renewOutboxEvent: () => new Promise(() => {}),
    }));
    clock.advance(30_000);
    const taken = await inner.claimOutboxEvent({ leaseMs: 30_000 });
    gate.open();
    await polled;
    expect(log.at(-1)).toMatchObject({ type: 'leaseLost', key: 'order-1:paid', level: 'warn' });
    expect(taken && (await inner.finishOutboxEvent(taken))).toBe(true);
  });

  it('is let go of after ten leases', async () => {
    const { polled, pass, signals, errors, checkout } = await shopWithSlowHandler();
    await pass(300_000);
    expect(signals[0]?.aborted).toBe(true);
    await polled;
    expect(errors).toMatchObject([{ message: expect.stringContaining('longer than 300 seconds') }]);
    await checkout.stop();
  });

  it('is let end when the checkout stops', async () => {
    const { checkout, gate, polled, signals, inner, clock } = await shopWithSlowHandler();
    const stopped = checkout.stop();
    gate.open();
    await Promise.all([stopped, polled]);
    expect(signals[0]?.aborted).toBe(false);
    expect(await inner.measure()).toMatchObject({ pendingOutboxEvents: 0 });
    expect(clock.pending()).toBe(0);
  });

  it('is interrupted when the patience is over, which is logged, and called by another instance at once', async () => {
    const { checkout, clock, polled, signals, errors, log, other } = await shopWithSlowHandler();
    const stopped = checkout.stop({ patienceMs: 2000 });
    await clock.untilWaiting(2000);
    clock.advance(2000);
    await Promise.all([stopped, polled]);
    expect(signals[0]?.aborted).toBe(true);
    expect(errors).toEqual([]);
    expect(log).toContainEqual(
      expect.objectContaining({ type: 'handlerInterrupted', level: 'warn', key: 'order-1:paid', token: 1 }),
    );
    const { notified, handlers } = notingHandlers();
    const next = other(handlers);
    next.checkout.start();
    await next.checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
    await next.checkout.stop();
    expect(clock.pending()).toBe(0);
  });
});

describe('a store with transactions', () => {
  /** Rolls back what throws, as a database would. */
  const withTransactions = (store: Store): Store => ({
    ...store,
    async transact(run, work) {
      await work('the transaction');
      return store.finishOutboxEvent(run);
    },
  });

  it('passes its transaction to the handler, and marks the event as done in it', async () => {
    const transactions: unknown[] = [];
    const onPaid = ({ transaction }: OutcomeEvent) => void transactions.push(transaction);
    const { poll, inner } = await shopWithMoney({ onPaid }, withTransactions);
    await poll();
    expect(transactions).toEqual(['the transaction']);
    expect(await inner.measure()).toMatchObject({ pendingOutboxEvents: 0 });
  });

  it('calls a handler again whose transaction was rolled back', async () => {
    let calls = 0;
    const onPaid = () => {
      if (++calls === 1) throw new Error('no stock');
    };
    const { poll, retry, errors } = await shopWithMoney({ onPaid }, withTransactions);
    await poll();
    await retry();
    expect(calls).toBe(2);
    expect(errors).toMatchObject([{ message: 'no stock' }]);
  });
});
