import { describe, expect, it } from 'vitest';
import type { OutcomeEvent } from '../../../../server-kit/engine/outbox/handlers.ts';
import { createGate } from '../../kit/gate.ts';
import {
  type Change,
  createOutbox,
  createSlowHandler,
  editClaims,
  hang,
  leaseMs,
  withTransactions,
} from './outbox-kit.ts';

/** The lease is renewed after each third of it. */
const renewalMs = leaseMs / 3;

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

/** Orders whose handlers hang until their signal aborts, or longer, in this many places. The handlers of others end at once. */
async function startHung(count: number, { places = count, ignoresSignal = false, leaseMs = 30_000 } = {}) {
  const [done, aborted]: [string[], string[]] = [[], []];
  const onPaid = async ({ order: { orderId }, signal }: OutcomeEvent): Promise<void> => {
    const abort = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    if (!orderId.startsWith('hung')) return void done.push(orderId);
    await abort;
    aborted.push(orderId);
    await (ignoresSignal ? hang() : Promise.reject(new Error('aborted')));
  };
  const outbox = createOutbox({ onPaid }, withTransactions(places), { leaseMs });
  await outbox.bring(...numbered('hung', count));
  return { ...outbox, done, aborted };
}

describe('handlers that hang in all places', () => {
  it('hold up another order for a lease and the last patience at most', async () => {
    const { bring, pass, done, log, foregroundWaits } = await startHung(12, { ignoresSignal: true });
    await pass(20_000);
    await bring('quick');
    await pass(14_999);
    expect([done, log]).toEqual([[], []]);
    await pass(1);
    expect(done).toEqual(['quick']);
    const error = { message: 'The handler took longer than a lease while another needed its place.' };
    const failed = { type: 'handlerFailed', key: 'hung-1:paid', retryAfterMs: 500, error };
    expect(log).toMatchObject([failed, { type: 'handlerSucceeded', key: 'quick:paid' }]);
    expect(foregroundWaits).toEqual([]);
  });

  it('are interrupted only when another order needs a place, the longest first, and are called again later and later', async () => {
    const { bring, pass, done, aborted, log, clock } = await startHung(3);
    await pass(leaseMs);
    expect(aborted).toEqual([]);
    // The first has its place again after the first round, and has not run for a lease in the second.
    for (const afterMs of [0, 600, leaseMs, leaseMs]) {
      await pass(afterMs);
      await bring(`quick-${aborted.length}`);
      await pass(renewalMs);
    }
    expect([done.length, aborted]).toEqual([4, ['hung-1', 'hung-2', 'hung-3', 'hung-1']]);
    const failed = log.flatMap((event) => (event.type === 'handlerFailed' ? event.retryAfterMs : []));
    expect(failed).toEqual([500, 500, 500, 1000]);
    await pass(5000);
    expect(clock.pending()).toBe(3);
  });

  it('each make room for one, and stay if nothing more is due', async () => {
    const { bring, pass, done, aborted, pending } = await startHung(3, { ignoresSignal: true });
    await bring('quick-1', 'quick-2');
    await pass(leaseMs);
    await bring('quick-3');
    await pass(4999);
    expect([done, aborted]).toEqual([[], ['hung-1', 'hung-2']]);
    await pass(1);
    expect([done.length, aborted.length, await pending()]).toEqual([3, 2, 3]);
  });

  it('let no other instance have the event that waits for its place, and make room once', async () => {
    const { bring, pass, inner, done } = await startHung(1, { ignoresSignal: true, leaseMs: 3000 });
    await bring('quick-1', 'quick-2');
    await pass(7999);
    expect(await inner.claimOutboxEvent({ leaseMs })).toMatchObject({ key: 'quick-2:paid' });
    expect([await inner.claimOutboxEvent({ leaseMs }), done]).toEqual([undefined, []]);
    await pass(1);
    expect(done).toEqual(['quick-1']);
  });

  it('are not interrupted if a place becomes free while the next event is claimed', async () => {
    const [claimed, ended] = [createGate(), createGate()];
    const signals: AbortSignal[] = [];
    const onPaid = ({ order, signal }: OutcomeEvent) => {
      signals.push(signal);
      return { 'order-1': hang(), 'order-2': ended.opened }[order.orderId];
    };
    const waitForThird = editClaims(async ({ orderId }) => orderId === 'order-3' && claimed.opened);
    const change: Change = (store) => ({ ...withTransactions(2)(store), ...waitForThird(store) });
    const { bring, pass, pending } = createOutbox({ onPaid }, change);
    await bring('order-1', 'order-2', 'order-3');
    await pass(leaseMs);
    ended.open();
    await pass(1);
    claimed.open();
    await pass(1);
    expect([signals.map(({ aborted }) => aborted), await pending()]).toEqual([[false, false, false], 1]);
  });

  it('are not interrupted while a place is free, even if a moment later none is', async () => {
    const { bring, pass, done, aborted } = await startHung(2, { places: 3 });
    await pass(2 * leaseMs);
    await bring(...numbered('quick', 10));
    expect([done.length, aborted]).toEqual([10, []]);
  });
});

it('An event that waits for a place is released when the runner stops', async () => {
  const { bring, pass, stop, inner, types } = await startHung(1, { ignoresSignal: true });
  await bring('quick');
  await pass(leaseMs);
  const stopped = stop(AbortSignal.abort());
  await pass(5000);
  await stopped;
  expect(types()).toEqual(['handlerInterrupted', 'handlerFailed']);
  expect(await inner.claimOutboxEvent({ leaseMs })).toMatchObject({ key: 'quick:paid', wasLost: false });
});

it.each<[string, Change, number]>([
  ['four handlers in transactions, unless the store says how many', withTransactions(), 4],
  ['as many handlers as the store has transactions', withTransactions(6), 6],
  ['a hundred handlers without transactions', () => ({}), 100],
])('A runner has places for %s', async (_what, change, most) => {
  const { signals, onPaid } = createSlowHandler();
  const { bring } = createOutbox({ onPaid }, change);
  await bring(...numbered('order', most + 2));
  expect(signals).toHaveLength(most);
});
