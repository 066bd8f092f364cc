import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../../../server-kit/core/errors.ts';
import { createPermits } from '../../../../server-kit/engine/verification/bucket.ts';
import {
  createVerifier,
  maxInFlight,
  type Verified,
} from '../../../../server-kit/engine/verification/verifier.ts';
import { settle } from '../../../settle.ts';
import { createGate } from '../../kit/gate.ts';
import { createTestClock } from '../../kit/test-clock.ts';

const never = new AbortController().signal;

/** A verifier whose service responds at once, unless the test changes that. */
function create({ maxPerSecond = 1000 } = {}) {
  const clock = createTestClock();
  const stopping = new AbortController();
  const requests: string[] = [];
  const service = { respond: async (): Promise<Partial<Verified>> => ({}) };
  const nothing = { stored: undefined, isEvidence: true, pace: 'waiting' } as const;
  const permits = createPermits(maxPerSecond, { now: clock.now, log: () => {} });
  const verifier = createVerifier({
    verifyOnce: async (reference) => {
      const endedClaim = requests.push(reference);
      return { ...nothing, endedClaim, ...(await service.respond()) };
    },
    permits,
    verificationIntervalMs: 2000,
    ...clock,
    stopping: stopping.signal,
  });
  /** The number of the request that a verification rests on; `undefined` for one that is deferred. */
  const numberOf = async (work: Promise<Verified | undefined>) => (await work)?.endedClaim;
  const verify = (reference: string) => numberOf(verifier.verify(reference));
  const verifyNow = (reference: string, signal = never) => numberOf(verifier.verifyNow(reference, signal));
  /** Lets the requests from now on hang until the returned function is called. */
  const hang = (): (() => Promise<void>) => {
    const { open, opened } = createGate();
    service.respond = () => opened.then(() => ({}));
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
  return { ...verifier, verify, verifyNow, clock, stopping, requests, service, hang, pass, permits };
}

function createUsedUp(maxPerSecond: number) {
  const made = create({ maxPerSecond });
  while (made.permits.take() === 0);
  return made;
}

describe('a verification for a shopper', () => {
  it('also fails those who ask too early when it fails, unless the service is only busy', async () => {
    const { verify, service, pass } = create();
    const busy = new Error('busy', { cause: new PaymentsError('rate_limited', 'Too many requests.') });
    service.respond = () => Promise.reject(busy);
    expect([await verify('tc_1'), await verify('tc_1')]).toEqual([undefined, undefined]);
    await pass(2000);
    service.respond = () => Promise.reject(new Error('down'));
    for (let time = 0; time < 2; time++) await expect(verify('tc_1')).rejects.toThrow('down');
  });

  it('is deferred while there is no permit, and made once in its turn, unless a decision has made it', async () => {
    const { verify, verifyNow, requests, pass } = createUsedUp(10);
    for (const reference of ['tc_1', 'tc_1', 'tc_2', 'tc_3']) expect(await verify(reference)).toBeUndefined();
    await verifyNow('tc_2');
    expect(requests).toEqual(['tc_2']);
    await pass(100, 100, 100, 100, 100);
    expect(requests).toEqual(['tc_2', 'tc_1', 'tc_3']);
  });
});

it('a verification for a decision does not rest on one that was running, and is shared by those who waited for the same', async () => {
  const { verify, verifyNow, requests, hang } = create();
  const release = hang();
  const all = [verify('tc_1')];
  await settle();
  all.push(verifyNow('tc_1'), verifyNow('tc_1'));
  await settle();
  expect(requests).toHaveLength(1);
  await release();
  expect(await Promise.all(all)).toEqual([1, 2, 2]);
});

it('a verification for a decision takes a permit, for which the next shopper waits', async () => {
  const { verify, verifyNow, requests, pass } = createUsedUp(10);
  await verifyNow('tc_now');
  expect(await verify('tc_1')).toBeUndefined();
  await pass(100);
  expect(requests).toEqual(['tc_now']);
  await pass(100);
  expect(requests).toEqual(['tc_now', 'tc_1']);
});

describe('a queued verification', () => {
  it('goes first when a callback names it, even if it was queued before', async () => {
    const { verify, verifyQueued, requests, pass } = createUsedUp(1);
    for (const reference of ['tc_1', 'tc_2']) await verify(reference);
    verifyQueued('tc_2', 'callback');
    await pass(1000, 1000);
    expect(requests).toEqual(['tc_2', 'tc_1']);
  });

  it('starts while at most 64 run, and the next when one has ended', async () => {
    const { verify, verifyNow, verifyQueued, requests, hang } = create();
    const release = hang();
    for (let index = 0; index < maxInFlight + 2; index++) verifyQueued(`tc_${index}`, 'due');
    await settle();
    expect([requests.length, await verify('tc_more')]).toEqual([maxInFlight, undefined]);
    verifyNow('tc_now');
    await settle();
    expect(requests).toHaveLength(maxInFlight + 1);
    await release();
    expect(requests).toHaveLength(maxInFlight + 4);
  });

  it('is rejected at the stop, after which nothing starts and no timer is left', async () => {
    const { verify, verifyQueued, clock, stopping, requests, pass } = createUsedUp(1);
    await verify('tc_shopper');
    const queued = (['due', 'callback'] as const).map((one) => verifyQueued(one, one));
    stopping.abort(new Error('stopped'));
    for (const started of queued) await expect(started).rejects.toThrow('stopped');
    await expect(verifyQueued('late', 'callback')).rejects.toThrow('stopped');
    await pass(1000);
    expect(await verify('tc_shopper')).toBeUndefined();
    expect([clock.pending(), requests.length]).toEqual([0, 0]);
  });
});
