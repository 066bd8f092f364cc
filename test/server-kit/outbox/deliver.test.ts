import { describe, expect, it } from 'vitest';
import { deliverOutboxEvent } from '../../../server-kit/outbox/deliver.ts';
import type { OutcomeEvent } from '../../../server-kit/outbox/handlers.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { ClaimedOutboxEvent } from '../../../server-kit/stores/outbox-event.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { createTestClock, nextTurn } from '../kit/test-clock.ts';
import { openRecord } from '../payments/records.ts';

const interrupted = new Error('The shop closes.');
const never = new Promise<void>(() => {});

/** Delivers a claimed `paid` to this handler. */
async function deliver(
  onPaid: (event: OutcomeEvent) => unknown,
  change: Partial<Store> = {},
  { maxTries = 160, ...run }: Partial<ClaimedOutboxEvent> & { maxTries?: number } = {},
) {
  const clock = createTestClock();
  const inner = createMemoryStore({ now: clock.now });
  await inner.insert(openRecord, { checkAfterMs: null });
  await inner.update(openRecord, { checkAfterMs: null, outcomes: ['paid'] });
  const event = await inner.claimOutboxEvent({ leaseMs: 30_000 });
  if (event === undefined) throw new Error('There is no event.');
  const interrupting = new AbortController();
  const foregroundWaits: number[] = [];
  const delivery = deliverOutboxEvent(
    {
      store: { ...inner, ...change },
      wait(ms, signal, isInBackground) {
        if (!isInBackground) foregroundWaits.push(ms);
        return clock.wait(ms, signal);
      },
      handlers: { onPaid },
      maxTries,
    },
    { ...event, ...run },
    interrupting.signal,
  );
  delivery.catch(() => {});
  await nextTurn();
  const isPending = async (): Promise<boolean> => (await inner.measure()).pendingOutboxEvents === 1;
  const interrupt = async (): Promise<void> => {
    interrupting.abort(interrupted);
    await nextTurn();
  };
  return { delivery, clock, isPending, interrupt, foregroundWaits };
}

describe('an event without a transaction', () => {
  it('is done when its handler has ended', async () => {
    const transactions: unknown[] = [];
    const { delivery, isPending } = await deliver(({ transaction }) => transactions.push(transaction));
    expect([await delivery, await isPending(), transactions]).toEqual([true, false, [undefined]]);
  });

  it('stays open when its handler is interrupted, even if that goes on', async () => {
    const { delivery, isPending, interrupt } = await deliver(() => never);
    await interrupt();
    await expect(delivery).rejects.toBe(interrupted);
    expect(await isPending()).toBe(true);
  });
});

describe('an event in a transaction', () => {
  /** A database that rolls back when its signal aborts, or when it `fails`. */
  function createDatabase() {
    let cutBy: unknown;
    let fail = (_error: Error): void => {};
    const transact: Store['transact'] = (_run, work, signal) =>
      new Promise((resolve, reject) => {
        fail = reject;
        signal?.addEventListener('abort', () => {
          cutBy = signal.reason;
          reject(signal.reason);
        });
        work('the transaction').then(() => resolve(true), reject);
      });
    return { transact, cutBy: () => cutBy, fail: (error: Error) => fail(error) };
  }

  it('may end within five seconds after it is interrupted', async () => {
    const { transact, cutBy } = createDatabase();
    const signals: AbortSignal[] = [];
    let end = (): void => {};
    const onPaid = ({ signal }: OutcomeEvent): Promise<void> => {
      signals.push(signal);
      return new Promise((resolve) => {
        end = resolve;
      });
    };
    const { delivery, clock, interrupt, foregroundWaits } = await deliver(onPaid, { transact });
    clock.advance(3_600_000);
    await interrupt();
    expect(signals[0]?.reason).toBe(interrupted);
    clock.advance(4999);
    await nextTurn();
    end();
    expect(await delivery).toBe(true);
    expect([cutBy(), clock.pending(), foregroundWaits]).toEqual([undefined, 0, []]);
  });

  it('is cut off five seconds after it is interrupted', async () => {
    const { transact, cutBy } = createDatabase();
    const { delivery, clock, interrupt } = await deliver(() => never, { transact });
    await interrupt();
    clock.advance(5000);
    await expect(delivery).rejects.toBe(interrupted);
    expect(cutBy()).toBe(interrupted);
  });

  it('aborts its handler when the database has ended the transaction', async () => {
    const { transact, fail } = createDatabase();
    const signals: AbortSignal[] = [];
    const { delivery, clock, interrupt } = await deliver(
      ({ signal }) => {
        signals.push(signal);
        return never;
      },
      { transact },
    );
    const lost = new Error('The connection is lost.');
    fail(lost);
    await expect(delivery).rejects.toBe(lost);
    expect(signals[0]?.reason).toBe(lost);
    await interrupt();
    expect(clock.pending()).toBe(0);
  });
});

describe('an event whose runs have been lost', () => {
  it.each([
    ['is called again after few', { wasLost: true, token: 3, maxTries: 3 }, undefined],
    ['is refused after as many as failures would be', { wasLost: true, token: 4, maxTries: 3 }, 3],
    ['is called again after twenty', { wasLost: true, token: 20 }, undefined],
    ['is refused from then on', { wasLost: true, token: 21 }, 20],
    ['is called again after any number of failures', { wasLost: false, token: 100, maxTries: 3 }, undefined],
  ])('%s', async (_name, run, started) => {
    let calls = 0;
    const { delivery } = await deliver(() => ++calls, { finishOutboxEvent: async () => true }, run);
    if (started === undefined) expect(await delivery).toBe(true);
    else {
      const message = expect.stringContaining(`started ${started} times`);
      await expect(delivery).rejects.toMatchObject({ code: 'internal_error', message });
    }
    expect(calls).toBe(started === undefined ? 1 : 0);
  });
});
