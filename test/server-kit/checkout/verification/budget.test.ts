import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../../server-kit/checkout/telemetry/log-event.ts';
import { createBudget } from '../../../../server-kit/checkout/verification/budget.ts';
import { slowDownWhenLimited } from '../../../../server-kit/checkout/verification/slow-down.ts';
import { createPaymentsClient } from '../../../../server-kit/client/client.ts';
import { sandboxCredentials } from '../../../../server-kit/tools/sandbox/index.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { refusing } from '../../kit/wire-faults.ts';
import { createBudgetStore, takeElsewhere } from './shared-budget.ts';

type Respond = () => Response | Promise<Response>;

const refused =
  (...[status, headers]: Parameters<typeof refusing>): Respond =>
  () =>
    refusing(status, headers)('', () => Promise.reject());

/** A client whose service gives these responses, the last one to all further requests, and the budget that it slows down. */
function create(...responses: Respond[]) {
  const clock = createTestClock();
  const store = createBudgetStore(clock.now);
  const log: LogEvent[] = [];
  let [requests, draws] = [0, 0];
  const { updateBudget } = store;
  store.updateBudget = (change) => updateBudget(change).finally(() => draws++);
  const client = createPaymentsClient({
    ...sandboxCredentials,
    baseUrl: 'https://service.example',
    now: clock.now,
    fetch: async () => (responses[requests++] ?? responses.at(-1) ?? refused(500))(),
    // Retries are made at once; a timeout is what the test waits for.
    wait: (ms, signal) => (ms === 15_000 ? clock.wait(ms, signal) : Promise.resolve()),
  });
  const now = clock.now;
  const budget = createBudget({
    store: { updateBudget: (change) => store.updateBudget(change) },
    maxPerSecond: 300,
    now,
  });
  const { payments } = slowDownWhenLimited(client, { budget, now, log: (event) => log.push(event) });
  return { payments, clock, store, budget, log, countRequests: () => requests, countDraws: () => draws };
}

describe('the permits of an instance', () => {
  /** Takes one at a time, so many in each second, for so many seconds. */
  async function take({ clock, budget }: ReturnType<typeof create>, perSecond: number, seconds: number) {
    for (let count = 0; count < perSecond * seconds; count++) {
      clock.advance(1000 / perSecond);
      await budget.take(1);
    }
  }

  /** Wants more than there is until the rate is the ceiling. */
  async function useUp({ clock, budget }: ReturnType<typeof create>) {
    for (let tenths = 0; tenths < 60; tenths++, clock.advance(100)) await budget.take(100);
  }

  it('are drawn ahead, several with one change of the store', async () => {
    const world = create();
    await useUp(world);
    const before = world.countDraws();
    await take(world, 100, 10);
    expect((world.countDraws() - before) / 1000).toBeLessThan(0.2);
    expect(world.budget.load()).toBeGreaterThan(0.2);
  });

  it('are not used after a refusal, although they were drawn ahead', async () => {
    const world = create();
    await useUp(world);
    await take(world, 10, 1);
    await world.budget.refuse({ sentMsAgo: 0, pauseMs: 1000 });
    expect(await world.budget.take(1)).toEqual({ granted: 0, retryAfterMs: 1000 });
  });
});

const amount = { value: 125_000, currency: 'NGN' } as const;
const initiation = { reference: 'tc_1', paymentMethod: 'pay_with_transfer', amount } as const;

describe('a response of 429', () => {
  it.each([
    [{}, 250],
    [{ 'retry-after': '0' }, 1000],
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after': '3600' }, 30_000],
  ])('stops the verifications of all instances for $1 ms, with %j', async (headers, pauseMs) => {
    const { payments, clock, store, log } = create(refused(429, headers));
    const verified = payments.verify('tc_1', { maxRetries: 0 });
    await expect(verified).rejects.toMatchObject({ code: 'rate_limited' });
    expect(log).toEqual([{ type: 'serviceLimited', pauseMs, ratePerSecond: 12.75 }]);
    clock.advance(pauseMs - 1);
    expect(await takeElsewhere(store, 1)).toBe(0);
    clock.advance(1);
    expect(await takeElsewhere(store, 1)).toBe(1);
  });

  it('counts for a call that makes an account even if its retry fails otherwise, once for both', async () => {
    const { payments, store, log, countRequests } = create(
      refused(429, { 'retry-after': '1' }),
      refused(400),
    );
    await expect(payments.initiate(initiation)).rejects.toMatchObject({ status: 400 });
    expect([countRequests(), log]).toMatchObject([2, [{ type: 'serviceLimited', pauseMs: 1000 }]]);
    expect(await takeElsewhere(store, 1)).toBe(0);
  });

  it('is thrown also if the store fails then', async () => {
    const { payments, store, log } = create(refused(429));
    store.updateBudget = () => Promise.reject(new Error('no store'));
    await expect(payments.retrieve('id', { maxRetries: 0 })).rejects.toMatchObject({ code: 'rate_limited' });
    expect(log).toMatchObject([{ type: 'backgroundFailed', error: { message: 'no store' } }]);
  });
});

it.each([
  ['503', refused(503), 12.75],
  ['a timeout', () => new Promise<Response>(() => {}), 12.75],
  ['500', refused(500), 15],
])('A failure of %s lowers the rate as it should, without a pause', async (name, respond, ratePerSecond) => {
  const { payments, clock, store, budget, log } = create(respond);
  const failed = expect(payments.verify('tc_1', { maxRetries: 0 })).rejects.toThrow();
  if (name === 'a timeout') {
    await clock.untilWaiting(15_000);
    clock.advance(15_000);
  }
  await failed;
  expect(await takeElsewhere(store, 1)).toBe(1);
  await budget.take(1);
  expect([budget.ratePerSecond(), log]).toEqual([ratePerSecond, []]);
});
