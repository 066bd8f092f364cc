import { describe, expect, it } from 'vitest';
import {
  type DueFacts,
  nextDue,
  referencesToVerify,
  retryPauseMs,
} from '../../../../server-kit/engine/order/next-due.ts';
import type { Payment } from '../../../../server-kit/engine/order/record.ts';
import {
  account,
  at,
  dayMs,
  expiresMs,
  hourMs,
  minuteMs,
  observed,
  openedMs,
  opening,
  orderOf,
  shown,
  shownLink,
  unseen,
} from './orders.ts';

const factsAt = (ms: number, change: Partial<DueFacts> = {}): DueFacts => ({
  lateWatchSeconds: 7 * 86_400,
  reversalWatchSeconds: 30 * 86_400,
  serviceNow: ms,
  now: ms,
  storeNow: 4000,
  ...change,
});

/** The pause of an order with one payment; `null` for never. */
const pauseAt = (payment: Payment, ms: number, change?: Partial<DueFacts>): number | null =>
  nextDue(orderOf(payment), factsAt(ms, change)).afterMs;

const pausesAt = (payment: Payment, ...times: number[]) => times.map((ms) => pauseAt(payment, ms));

const openUntil = (ms: number) => ({ opened: { ...account, expiresAt: new Date(ms).toISOString() } });
const seen = (status: string, amount = 0, seconds = 300) => ({ observed: observed(status, amount, seconds) });

it('an open account is verified each minute of the first hour, then by a sixtieth of its age, at most ten minutes', () => {
  const open = shown(openUntil(openedMs + 10 * dayMs));
  const times = [0, hourMs, 5 * hourMs, 20 * hourMs].map((ms) => openedMs + ms);
  expect(pausesAt(open, ...times)).toEqual([minuteMs, minuteMs, 5 * minuteMs, 10 * minuteMs]);
});

it.each<[string, Payment, number]>([
  ['that nobody has paid', shown(), expiresMs],
  ['that has expired', shown(seen('expired', 0, 7200)), expiresMs],
  ['that waits', shown(seen('awaiting_charge')), expiresMs],
  ['that was replaced', shown({ state: 'closed', ...seen('expired') }), expiresMs],
  ['that is an expired link', shownLink({}, seen('expired')), expiresMs],
  ['that has failed, from its failure on', shown(seen('failed', 0, 600)), openedMs + 10 * minuteMs],
  ['that has failed long after its expiry', shown(seen('failed', 0, 7200)), openedMs + 120 * minuteMs],
  ['that failed long before it was opened', shown(seen('failed', 0, -40 * 86_400)), openedMs],
  ['that was reversed long before it was opened', shown(seen('reversed', 0, -40 * 86_400)), openedMs],
  ['that was reversed, from its reversal on', shown(seen('reversed', 0, 600)), openedMs + 10 * minuteMs],
  ['that was reversed after its expiry', shown(seen('reversed', 0, 7200)), openedMs + 120 * minuteMs],
  ['that was lost with money', shown({ ...seen('charged', 1000), missingSince: at(60) }), expiresMs],
  ['that nobody has seen, from its creation on', unseen(), openedMs],
  ['that has failed and nobody has seen', unseen(seen('failed')), openedMs],
])('a payment %s is verified ever less often, for seven days', (_name, payment, endMs) => {
  const times = [0, 2 * minuteMs, hourMs, 5 * dayMs, 7 * dayMs, 7 * dayMs + 1].map((ms) => endMs + ms);
  expect(pausesAt(payment, ...times)).toEqual([minuteMs, minuteMs, hourMs / 2, dayMs, dayMs, null]);
});

describe('money', () => {
  it.each([
    shown(seen('charged', 1000)),
    shown(seen('awaiting_charge', 1)),
    shown({ state: 'closed', ...seen('a_status_of_tomorrow', 1) }),
    shown(seen('expired', 1000)),
  ])('is verified at least each hour, without end, if it is not confirmed: $observed.status', (payment) => {
    const times = [0, 2 * hourMs, 400 * dayMs].map((ms) => expiresMs + ms);
    expect(pausesAt(payment, ...times)).toEqual([minuteMs, hourMs / 2, hourMs]);
  });

  it.each<Payment>([
    shown(seen('succeeded', 1000, 0)),
    shown({ ...seen('succeeded', 1, 0), missingSince: at(60) }),
    unseen(seen('succeeded', 1000, 0)),
    // Dated long before it was opened.
    shown(seen('succeeded', 1000, -40 * 86_400)),
  ])('is verified for thirty days if it is confirmed: $state', (payment) => {
    const times = [0, dayMs, 30 * dayMs, 30 * dayMs + 1].map((ms) => openedMs + ms);
    expect(pausesAt(payment, ...times)).toEqual([30 * minuteMs, dayMs, 2 * dayMs, null]);
  });

  it.each<Payment>([
    shown(seen('expired', 400, 1800)),
    shown({ state: 'closed', ...seen('expired', 400, 1800) }),
    shown(seen('failed', 400, 1800)),
  ])('is verified for thirty days if it is a confirmed part: $observed.status', (payment) => {
    const days = [7 * dayMs, 7 * dayMs + 1, 30 * dayMs, 30 * dayMs + 1];
    const times = [0, ...days].map((ms) => expiresMs + ms);
    expect(pausesAt(payment, ...times)).toEqual([minuteMs, dayMs, 2 * dayMs, 2 * dayMs, null]);
  });

  it('is verified for late money, too, if less than the price is confirmed long before the expiry', () => {
    const payment = shown({ ...openUntil(openedMs + 30 * dayMs), ...seen('succeeded', 400, 0) });
    const times = [30 * dayMs, 32 * dayMs, 37 * dayMs + 1].map((ms) => openedMs + ms);
    expect(pausesAt(payment, ...times)).toEqual([2 * dayMs, dayMs, null]);
  });
});

it.each([
  ['while the lease runs', 4000, 62_000],
  ['once the lease has ended', 5000, 61_000],
  ['long after', 90_000, 1000],
])('an account that is being opened is due a minute after its lease: %s', (_name, storeNow, pause) => {
  expect(pauseAt(opening(), openedMs, { storeNow })).toBe(pause);
});

describe('an order', () => {
  it('is due for all payments that are watched, at the time of the first', () => {
    const order = orderOf(
      shown(seen('expired')),
      shown({ reference: 'b', ...seen('succeeded', 1000, 8 * 86_400) }),
      opening({ reference: 'c' }),
    );
    const due = (ms: number) => nextDue(order, factsAt(ms));
    expect(due(expiresMs)).toEqual({ afterMs: 60_000 });
    expect(due(openedMs + 8 * dayMs)).toEqual({ afterMs: 62_000 });
    expect(referencesToVerify(order)).toEqual(['a', 'b']);
  });

  it('is due soon where the clock is behind that of its creation', () => {
    expect(pauseAt(unseen(), openedMs - hourMs)).toBe(minuteMs);
  });

  it('is never due without payments, or after its watch has ended', () => {
    expect(nextDue(orderOf(), factsAt(openedMs))).toEqual({ afterMs: null, because: 'noPayments' });
    const over = nextDue(orderOf(shown()), factsAt(openedMs + 30 * dayMs));
    expect(over).toEqual({ afterMs: null, because: 'watchIsOver' });
  });

  it('is due each hour where one of two clocks says that its watch has ended', () => {
    const order = orderOf(shown());
    const late = openedMs + 8 * dayMs;
    expect(nextDue(order, factsAt(late, { now: openedMs })).afterMs).toBe(hourMs);
    expect(nextDue(order, factsAt(openedMs, { now: late })).afterMs).toBe(minuteMs);
  });

  it('is due each hour after its watch while it has a link that no verification has expired', () => {
    const late = factsAt(openedMs + 8 * dayMs);
    expect(nextDue(orderOf(shownLink()), late).afterMs).toBe(hourMs);
    expect(nextDue(orderOf(shownLink({}, seen('expired'))), late).afterMs).toBeNull();
  });

  it.each([
    ['half a minute', 0, minuteMs / 2],
    ['a tenth of its age', 20 * minuteMs, 2 * minuteMs],
    ['an hour', 7 * dayMs, hourMs],
  ])('waits for %s after a failed verification', (_name, ms, pause) => {
    const earlier = [shown({ reference: 'b' }), shown({ reference: 'c', createdAt: at(-86_400) })];
    const order = orderOf(...earlier, shown());
    expect(retryPauseMs(order, openedMs + ms)).toBe(pause);
  });

  it('waits for half a minute if it has no payments', () => {
    expect(retryPauseMs(orderOf(), openedMs)).toBe(minuteMs / 2);
  });
});
