import { describe, expect, it, onTestFinished } from 'vitest';
import type { OutcomeEvent } from '../../../server-kit/outbox/handlers.ts';
import { createOutboxRunner } from '../../../server-kit/outbox/runner.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { openRecord } from '../payments/records.ts';

const slowAfterMs = 3000;

/** A runner whose handlers hang for orders that are named so, until the gate opens. Its own clock stands still. */
function startRunner(store: Store) {
  const clock = createTestClock();
  const begun: string[] = [];
  const notified: string[] = [];
  const errors: unknown[] = [];
  const gate = new AbortController();
  const opens = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const handle = async ({ idempotencyKey }: OutcomeEvent): Promise<void> => {
    begun.push(idempotencyKey);
    if (idempotencyKey.startsWith('hung') && idempotencyKey.endsWith('amountMismatch')) await opens;
    notified.push(idempotencyKey);
  };
  const runner = createOutboxRunner({
    store,
    wait: clock.wait,
    leaseMs: 600_000,
    handlers: { onPaid: handle, onAmountMismatch: handle },
    maxTries: 3,
    random: Math.random,
    log: (event) => 'error' in event && errors.push(event.error),
  });
  /** Orders with two outcomes each, one after the other. */
  const bring = async (name: string, count: number): Promise<void> => {
    for (let n = 1; n <= count; n++) {
      const payment: PaymentRecord = { ...openRecord, reference: `${name}-${n}`, orderId: `${name}-${n}` };
      await store.insert(payment, { checkAfterMs: null });
      await store.update(payment, { checkAfterMs: null, outcomes: ['amountMismatch', 'paid'] });
    }
    runner.runSoon();
  };
  const countHung = (): number => begun.filter((key) => key.startsWith('hung')).length;
  /** Lets so much time pass that each handler that runs takes long, until so many run. */
  const untilHung = async (count: number): Promise<void> => {
    for (let hung = 0; hung < count; ) {
      hung = Math.min(hung + 4, count);
      await until(countHung).toBe(hung);
      await clock.untilWaiting(slowAfterMs, hung % 4 || 4);
      clock.advance(slowAfterMs);
    }
  };
  const end = async (): Promise<void> => {
    gate.abort();
    await runner.settled();
  };
  // Before the store is closed, which waits for those who use it.
  onTestFinished(end);
  return { runner, clock, begun, notified, errors, bring, countHung, untilHung, end };
}

const until = <T>(read: () => T) => expect.poll(read, { interval: 1 });

/** The warnings of Node.js in this test. */
function watchWarnings(): Error[] {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  return warnings;
}

/** A store, how many handlers hang on it in the first test, and the most that run at once. */
export type SlowHandlersOn = { name: string; hung: number; most: number; open: () => Promise<Store> };

/** What holds on every store when handlers hang. */
export function describeSlowHandlers({ name, hung, most, open }: SlowHandlersOn): void {
  describe(`handlers that hang, on ${name}`, () => {
    it('do not hold up the others, and each order’s events still run one after the other', async () => {
      const warnings = watchWarnings();
      const { bring, untilHung, notified, begun, errors, end, clock } = startRunner(await open());
      await bring('hung', hung);
      await untilHung(hung);
      await bring('quick', 5);
      await until(() => notified.length).toBe(10);
      for (let n = 1; n <= 5; n++) {
        const ofOrder = notified.filter((key) => key.startsWith(`quick-${n}:`));
        expect(ofOrder).toEqual([`quick-${n}:amountMismatch`, `quick-${n}:paid`]);
      }
      expect(begun.filter((key) => key.startsWith('hung') && key.endsWith('paid'))).toEqual([]);
      await end();
      await until(() => notified.length).toBe(10 + 2 * hung);
      expect([errors, warnings]).toEqual([[], []]);
      await until(clock.pending).toBe(0);
    });

    it(`are ${most} at most, and the store goes on working beside them`, async () => {
      const store = await open();
      let claims = 0;
      const claimOutboxEvent: Store['claimOutboxEvent'] = (options) => {
        claims++;
        return store.claimOutboxEvent(options);
      };
      const { bring, untilHung, countHung, notified, runner, end } = startRunner({
        ...store,
        claimOutboxEvent,
      });
      await bring('hung', most + 3);
      await untilHung(most);
      const claimsBefore = claims;
      for (let n = 0; n < 10; n++) runner.runSoon();
      await Promise.all(Array.from({ length: 10 }, () => store.findByReference('hung-1')));
      expect(await store.measure()).toMatchObject({ pendingOutboxEvents: 2 * (most + 3) });
      expect([countHung(), claims]).toEqual([most, claimsBefore]);
      await end();
      await until(() => notified.length).toBe(2 * (most + 3));
    });
  });
}
