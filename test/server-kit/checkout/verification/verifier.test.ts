import { describe, expect, it } from 'vitest';
import { createCounters } from '../../../../server-kit/checkout/telemetry/counters.ts';
import { createBudget } from '../../../../server-kit/checkout/verification/budget.ts';
import { maxInFlight } from '../../../../server-kit/checkout/verification/queue.ts';
import { createVerifier, type Verified } from '../../../../server-kit/checkout/verification/verifier.ts';
import { PaymentsError } from '../../../../server-kit/client/errors/payments-error.ts';
import { settle } from '../../../settle.ts';
import { createGate } from '../../kit/gate.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { createBudgetStore, pauseElsewhere, takeElsewhere } from './shared-budget.ts';

const never = new AbortController().signal;

/** A verifier whose service responds at once, unless the test changes that. */
function create({ maxPerSecond = 300 } = {}) {
  const clock = createTestClock();
  const store = createBudgetStore(clock.now);
  const stopping = new AbortController();
  const counters = createCounters();
  const requests: string[] = [];
  const service = { respond: async (): Promise<Partial<Verified>> => ({}) };
  const nothing = { stored: undefined, isEvidence: true, hasMoreMoney: false, pace: 'waiting' } as const;
  const { verify, verifyNow, verifyQueued, ...verifier } = createVerifier({
    verifyOnce: async (reference) => {
      const endedClaim = requests.push(reference);
      return { ...nothing, endedClaim, ...(await service.respond()) };
    },
    budget: createBudget({
      store: { updateBudget: (change) => store.updateBudget(change) },
      maxPerSecond,
      now: clock.now,
    }),
    verificationIntervalMs: 2000,
    ...clock,
    counters,
    random: () => 0,
    stopping: stopping.signal,
  });
  /** The number of the request that a verification rests on; `undefined` for one that is deferred. */
  const numberOf = async (work: Promise<Verified | undefined>) => (await work)?.endedClaim;
  const numbered = {
    ...verifier,
    verifyQueued,
    verify: (...args: Parameters<typeof verify>) => numberOf(verify(...args)),
    verifyNow: (...args: Parameters<typeof verifyNow>) => numberOf(verifyNow(...args)),
    ended: (...args: Parameters<typeof verifyQueued>) =>
      numberOf(verifyQueued(...args).then(({ work }) => work)),
  };
  /** Lets the requests from now on hang until the returned function is called. */
  const hang = (): (() => Promise<void>) => {
    const { open, opened } = createGate();
    const { respond } = service;
    service.respond = () => opened.then(respond);
    return () => {
      open();
      return settle();
    };
  };
  const pass = async (...times: number[]): Promise<void> => {
    for (const ms of times) {
      await settle();
      clock.advance(ms);
    }
    await settle();
  };
  const useUp = () => takeElsewhere(store, 1000, maxPerSecond);
  return { verifier: numbered, clock, store, stopping, counters, requests, service, hang, pass, useUp };
}

describe('a verification for a shopper', () => {
  it('is shared by all who ask while it runs', async () => {
    const { verifier, requests, hang, pass } = create();
    const release = hang();
    const all = [verifier.verify('tc_1'), verifier.verify('tc_1'), verifier.verify('tc_2')];
    await pass(2001);
    all.push(verifier.verify('tc_1'));
    await release();
    expect(await Promise.all(all)).toEqual([1, 1, 2, 1]);
    expect([await verifier.verify('tc_1'), requests.length]).toEqual([3, 3]);
  });

  it.each([
    ['waiting', 2000],
    ['missing', 15_000],
    ['settled', 60_000],
  ] as const)('is too early after one that was %s, for %i ms', async (pace, ms) => {
    const { verifier, service, requests, pass } = create();
    service.respond = async () => ({ pace });
    await verifier.verify('tc_1');
    await pass(ms - 1);
    expect([verifier.msUntilDue('tc_1'), await verifier.verify('tc_1'), requests.length]).toEqual([
      1,
      undefined,
      1,
    ]);
    await pass(1);
    expect([verifier.msUntilDue('tc_1'), await verifier.verify('tc_1')]).toEqual([0, 2]);
  });

  it('also fails those who ask too early when it fails, unless the service is only busy', async () => {
    const { verifier, service, counters, pass } = create();
    const busy = new Error('busy', { cause: new PaymentsError('rate_limited', 'Too many requests.') });
    service.respond = () => Promise.reject(busy);
    expect([await verifier.verify('tc_1'), await verifier.verify('tc_1')]).toEqual([undefined, undefined]);
    await pass(2000);
    service.respond = () => Promise.reject(new Error('down'));
    for (let time = 0; time < 2; time++) await expect(verifier.verify('tc_1')).rejects.toThrow('down');
    expect(counters).toMatchObject({ verifications: 2, verificationsFailed: 2 });
  });

  it('is deferred at once while the budget is used up, and made once in its turn; clients take turns', async () => {
    const { verifier, requests, service, pass, useUp } = create({ maxPerSecond: 20 });
    await useUp();
    for (const reference of ['tc_1', 'tc_1', 'tc_2', 'tc_3', 'tc_4'])
      expect(await verifier.verify(reference, 'attacker')).toBe(undefined);
    expect(await verifier.verify('tc_ada', 'ada')).toBe(undefined);
    expect(verifier.msUntilDue('tc_ada')).toBe(30_000);
    service.respond = () => Promise.reject(new Error('down'));
    await pass(1000, 1000, 1000, 1000);
    expect(requests.slice(0, 4)).toEqual(['tc_1', 'tc_ada', 'tc_2', 'tc_3']);
    await expect(verifier.verify('tc_ada')).rejects.toThrow('down');
  });

  it('is skipped if no shopper asks for it now, or a decision has made it, unless it is due as well', async () => {
    const { verifier, requests, store, pass } = create();
    await pauseElsewhere(store, 30_000);
    for (const reference of ['tc_gone', 'tc_due', 'tc_1']) await verifier.verify(reference);
    verifier.verifyQueued('tc_due', 'due');
    for (let pauses = 0; pauses < 2; pauses++) {
      await pass(25_000);
      verifier.msUntilDue('tc_1');
      await pauseElsewhere(store, 30_000);
    }
    await pass(29_000);
    await verifier.verify('tc_decided');
    await verifier.verifyNow('tc_decided', never);
    await pass(1000, 200, 200, 200);
    expect(requests).toEqual(['tc_decided', 'tc_due', 'tc_1']);
  });
});

describe('a verification for a decision', () => {
  it('is made at once, whatever the budget and the spacing, and is debited', async () => {
    const { verifier, store } = create({ maxPerSecond: 100 });
    for (let count = 1; count <= 5; count++) expect(await verifier.verifyNow('tc_1', never)).toBe(count);
    // Of the five that the slow start begins with.
    expect(await takeElsewhere(store, 100, 100)).toBe(0);
  });

  it('does not rest on one that was running, and is shared by those who waited for the same', async () => {
    const { verifier, requests, hang } = create();
    const release = hang();
    const all = [verifier.verify('tc_1')];
    await settle();
    all.push(verifier.verifyNow('tc_1', never), verifier.verifyNow('tc_1', never));
    all.push(verifier.ended('tc_1', 'callback'));
    await settle();
    expect(requests).toHaveLength(1);
    await release();
    expect(await Promise.all(all)).toEqual([1, 2, 2, 2]);
  });

  it('starts nothing after its signal has aborted, and does not fail another', async () => {
    const { verifier, requests, hang } = create();
    const aborted = new AbortController();
    const release = hang();
    verifier.verify('tc_1');
    await settle();
    const refused = [verifier.verifyNow('tc_1', aborted.signal)];
    const other = verifier.verifyNow('tc_1', never);
    aborted.abort(new Error('given up'));
    refused.push(verifier.verifyNow('tc_2', aborted.signal));
    for (const one of [release(), ...refused].slice(1)) await expect(one).rejects.toThrow('given up');
    expect([await other, requests]).toEqual([2, ['tc_1', 'tc_1']]);
  });
});

describe('a queued verification', () => {
  it('goes first when a callback names it, even if it was queued before, and its money is evidence', async () => {
    const { verifier, requests, service, pass, useUp } = create({ maxPerSecond: 20 });
    await useUp();
    service.respond = async () => ({ hasMoreMoney: true });
    for (const reference of ['tc_1', 'tc_2']) await verifier.verify(reference);
    const ended = verifier.ended('tc_2', 'callback');
    await pass(1000);
    expect([requests, await ended, verifier.doCallbacksArrive()]).toEqual([['tc_2'], 1, true]);
    await pass(1000);
    expect([requests, verifier.doCallbacksArrive()]).toEqual([['tc_2', 'tc_1'], false]);
  });

  it('leaves every fourth start to those that no callback names, and all starts that nothing else needs', async () => {
    const { verifier, requests, store, pass } = create();
    await pauseElsewhere(store, 1000);
    // Shoppers waited for some of those that callbacks name now.
    for (let index = 4; index < 9; index++) await verifier.verify(`callback ${index}`);
    const causes = [...'ddddccccccc'].map((one) => (one === 'd' ? 'due' : 'callback'));
    for (const [index, cause] of causes.entries()) verifier.verifyQueued(`${cause} ${index}`, cause);
    for (let index = 4; index < 9; index++) await verifier.verify(`callback ${index}`);
    await pass(...Array.from({ length: 12 }, () => 1000));
    expect(requests.map(([first]) => first).join('')).toBe('cccdcccdcdd');
  });

  it('starts while at most 64 run, and the next when one has ended', async () => {
    const { verifier, requests, hang } = create({ maxPerSecond: 10_000 });
    const release = hang();
    for (let index = 0; index < maxInFlight + 2; index++) verifier.verifyQueued(`tc_${index}`, 'due');
    await settle();
    expect([requests.length, await verifier.verify('tc_more')]).toEqual([maxInFlight, undefined]);
    verifier.verifyNow('tc_now', never);
    await settle();
    expect(requests).toHaveLength(maxInFlight + 1);
    await release();
    expect(requests).toHaveLength(maxInFlight + 4);
  });

  it.each(['the budget is used up', 'all places are taken'])(
    'is rejected at the stop, after which nothing starts and no timer is left, while %s',
    async (why) => {
      const { verifier, clock, stopping, requests, hang, useUp, pass } = create({ maxPerSecond: 10_000 });
      const release = hang();
      if (why === 'the budget is used up') await useUp();
      else for (let index = 0; index < maxInFlight; index++) verifier.verifyQueued(`tc_${index}`, 'due');
      await settle();
      await verifier.verify('tc_shopper');
      const queued = (['due', 'callback'] as const).map((one) => verifier.verifyQueued(one, one));
      await settle();
      stopping.abort(new Error('stopped'));
      for (const started of queued) await expect(started).rejects.toThrow('stopped');
      await expect(verifier.verifyQueued('late', 'callback')).rejects.toThrow('stopped');
      await pass(1000);
      await release();
      const made = requests.length;
      expect(await verifier.verify('tc_shopper')).toBeUndefined();
      expect([clock.pending(), requests.length]).toEqual([0, made]);
    },
  );

  it('fails with the store, like all that wait, and works again with it', async () => {
    const { verifier, store } = create();
    const { updateBudget } = store;
    store.updateBudget = () => Promise.reject(new Error('no store'));
    expect(await verifier.verify('tc_1')).toBeUndefined();
    await expect(verifier.verifyQueued('tc_2', 'due')).rejects.toThrow('no store');
    expect(await verifier.verifyNow('tc_3', never)).toBe(1);
    store.updateBudget = updateBudget;
    expect(await verifier.verify('tc_1')).toBe(2);
  });
});
