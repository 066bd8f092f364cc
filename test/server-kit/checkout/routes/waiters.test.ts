import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/checkout/checkout-options.ts';
import type { Waiter } from '../../../../server-kit/checkout/routes/waiter.ts';
import { createWaiters } from '../../../../server-kit/checkout/routes/waiters.ts';
import { createCounters } from '../../../../server-kit/checkout/telemetry/counters.ts';
import { createMemoryBus } from '../../../../server-kit/drivers/memory/bus.ts';
import { createTestClock, pass } from '../../kit/test-clock.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';
import { takeElsewhere } from '../verification/shared-budget.ts';
import { openedShop } from './opened-shop.ts';

/** A shop whose page waits for its view to change. */
async function createHoldingShop(options: Parameters<typeof openedShop>[0] = {}) {
  const shop = await openedShop({ limits: false, random: () => 0.5, ...options });
  return { ...shop, waiting: async () => (await shop.checkout.measure()).gauges.waiters };
}

const nextPollOf = (response: Response): string | null => response.headers.get('checkout-next-poll-ms');

describe('held requests for one payment', () => {
  it('are at most four of a thousand, and the others get a response at once', async () => {
    const { hold, waiting, clock, wire, checkout } = await createHoldingShop();
    const calls = wire.calls.length;
    const responses = Array.from({ length: 1000 }, () => hold());
    for (const response of responses.slice(0, -4)) {
      const { status, headers } = await response;
      const seen = [status, headers.get('preference-applied'), headers.get('checkout-next-poll-ms')];
      expect(seen).toEqual([304, 'wait', '7500']);
    }
    await clock.untilWaiting(25_000, 4);
    expect(await waiting()).toBe(4);
    expect(wire.calls.length - calls).toBeLessThan(2);
    expect((await checkout.measure()).counters.waitersCutShort).toBe(996);
    clock.advance(25_000);
    for (const response of responses.slice(-4)) expect((await response).status).toBe(304);
    expect(await waiting()).toBe(0);
    expect(clock.pending()).toBe(0);
  });
});

describe('held requests on one instance', () => {
  it('are no more than maxWaiters; the next gets a response at once, and a later poll time', async () => {
    const { hold, waiting, clock, checkout } = await createHoldingShop({ maxWaiters: 1 });
    const held = hold();
    await clock.untilWaiting(2000);
    const other = await checkout.createSession({ ...order, orderId: 'order-2' });
    const first = await hold({ one: other, known: '"none"' });
    clock.advance(1);
    const refused = await hold({ one: other, known: first.headers.get('etag') ?? '' });
    expect(refused.status).toBe(304);
    expect(refused.headers.get('preference-applied')).toBeNull();
    expect(nextPollOf(refused)).toBe('7500');
    expect(await waiting()).toBe(1);
    expect((await checkout.measure()).counters.waitersTurnedAway).toBe(2);
    clock.advance(25_000);
    expect(nextPollOf(await held)).toBe('0');
  });

  it('do not exist with maxWaiters: 0, which is plain polling', async () => {
    const { hold } = await createHoldingShop({ maxWaiters: 0 });
    expect((await hold()).status).toBe(304);
  });
});

describe('the clients that clientKey names', () => {
  const clientKey: CheckoutOptions['clientKey'] = ({ header }) => header('x-client');

  it('take turns in the places of held requests', async () => {
    const { get, session, etag, clock } = await createHoldingShop({ maxWaiters: 2, clientKey });
    const held = (client: string) =>
      get(session, { 'if-none-match': etag, prefer: 'wait=25', 'x-client': client });
    const [first] = [held('attacker'), held('attacker')];
    await clock.untilWaiting(25_000, 2);
    const honest = held('ada');
    expect(nextPollOf(await first)).toBe('7500');
    await clock.untilWaiting(25_000, 2);
    clock.advance(25_000);
    expect(nextPollOf(await honest)).toBe('0');
  });

  it('take turns in the verifications that the budget allows', async () => {
    const { checkout, get, clock, store, wire } = createWiredShop({
      clientKey,
      maxVerificationsPerSecond: 1,
    });
    const sessions = await Promise.all(
      [...'23456789'].map((orderId) => checkout.createSession({ ...order, orderId })),
    );
    await takeElsewhere(store, 1, 1);
    wire.calls.length = 0;
    for (const [index, one] of sessions.entries())
      await get(one, { 'x-client': index < 7 ? 'attacker' : 'ada' });
    await pass(clock, 10_000);
    const verified = wire.calls.map((path) =>
      sessions.findIndex(({ reference }) => path.includes(reference)),
    );
    expect(verified).toContain(6);
    expect(verified.indexOf(7)).toBeLessThan(verified.indexOf(6));
  });
});

describe('createWaiters', () => {
  const setUp = (maxWaiters = 100) => {
    const clock = createTestClock();
    const inner = createMemoryBus();
    let listeners = 0;
    const bus = {
      ...inner,
      subscribe: (...on: Parameters<typeof inner.subscribe>) => {
        listeners++;
        const off = inner.subscribe(...on);
        return () => {
          listeners--;
          off();
        };
      },
    };
    const counters = createCounters();
    const waiters = createWaiters({ bus, ...clock, maxWaiters, counters });
    return { waiters, bus, clock, counters, listeners: () => listeners };
  };
  const limit = {
    ms: 25_000,
    get signal() {
      return new AbortController().signal;
    },
  };
  const endedOf = (waiters: (Waiter | undefined)[]) => waiters.map((waiter) => waiter?.hasEnded());

  it('subscribes to the bus once, and only while somebody waits', () => {
    const { waiters, listeners, clock } = setUp();
    const all = ['tc_1', 'tc_1', 'tc_2'].map((reference) => waiters.enter(reference, 'ada', limit));
    expect([listeners(), waiters.count()]).toEqual([1, 3]);
    for (const waiter of [...all, ...all]) waiter?.leave();
    expect([listeners(), waiters.count(), clock.pending()]).toEqual([0, 0, 0]);
    waiters.enter('tc_1', 'ada', limit);
    expect(listeners()).toBe(1);
  });

  it('wakes the waiters of the named payment, and no others', async () => {
    const { waiters, bus, clock } = setUp();
    const [one, other] = [waiters.enter('tc_1', 'ada', limit), waiters.enter('tc_2', 'ada', limit)];
    const woken = one?.sleep(1000);
    const asleep = other?.sleep(1000);
    await bus.publish('tc_1');
    await woken;
    expect(clock.pending()).toBe(3);
    clock.advance(1000);
    await asleep;
  });

  it('keeps an announced change until the store is read', async () => {
    const { waiters, bus, clock } = setUp();
    const waiter = waiters.enter('tc_1', 'ada', limit);
    await bus.publish('tc_1');
    await waiter?.sleep(1000, new Promise(() => {}));
    expect(clock.pending()).toBe(1);
    waiter?.forgetNews();
    expect(await waiter?.sleep(1000, Promise.resolve('work'))).toBe('work');
    expect(clock.pending()).toBe(1);
  });

  it('leaves a place to a client that has none, and keeps the others', () => {
    const { waiters, counters } = setUp(3);
    const held = ['tc_1', 'tc_2', 'tc_3'].map((reference) => waiters.enter(reference, 'attacker', limit));
    expect(waiters.enter('tc_4', 'attacker', limit)).toBeUndefined();
    const ada = waiters.enter('tc_5', 'ada', limit);
    expect(endedOf([...held, ada])).toEqual([true, false, false, false]);
    expect(waiters.count()).toBe(3);
    expect(counters).toMatchObject({ waitersCutShort: 1, waitersTurnedAway: 1 });
  });

  it('cuts short only the oldest of the four that wait for the same payment', () => {
    const { waiters } = setUp(5);
    const other = waiters.enter('tc_2', 'attacker', limit);
    const four = Array.from({ length: 4 }, () => waiters.enter('tc_1', 'attacker', limit));
    expect(waiters.enter('tc_1', 'ada', limit)).toBeDefined();
    expect(endedOf([other, ...four])).toEqual([false, true, false, false, false]);
  });
});
