import { describe, expect, it } from 'vitest';
import {
  type DueFacts,
  nextDue,
  referencesToVerify,
  retryPauseMs,
} from '../../../../server-kit/engine/order/next-due.ts';
import type { Payment, ShownPayment } from '../../../../server-kit/engine/order/record.ts';
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

/** A payment whose account is open for so long. */
const openFor = (ms: number): ShownPayment =>
  shown({ opened: { ...account, expiresAt: new Date(openedMs + ms).toISOString() } });

it.each([
  ['each minute of the first hour', 0, minuteMs],
  ['each minute of the first hour', hourMs, minuteMs],
  ['then by a sixtieth of its age', 5 * hourMs, 5 * minuteMs],
  ['each ten minutes at least', 20 * hourMs, 10 * minuteMs],
])('an open account is verified %s', (_name, ms, pause) => {
  expect(pauseAt(openFor(10 * dayMs), openedMs + ms)).toBe(pause);
});

describe('a payment after its end', () => {
  const ended = (status: string, seconds: number) => shown({ observed: observed(status, 0, seconds) });
  const lost = shown({ observed: observed('charged', 1000), missingSince: at(60) });

  it.each<[string, Payment, number]>([
    ['that nobody has paid', shown(), expiresMs],
    ['that has expired', ended('expired', 7200), expiresMs],
    ['that waits', ended('awaiting_charge', 300), expiresMs],
    ['that was replaced', shown({ state: 'closed', observed: observed('expired') }), expiresMs],
    ['that is an expired link', shownLink({}, { observed: observed('expired') }), expiresMs],
    ['that has failed, from its failure on', ended('failed', 600), openedMs + 10 * minuteMs],
    ['that has failed long after its expiry', ended('failed', 7200), openedMs + 120 * minuteMs],
    ['that has failed by a date of long before it was opened', ended('failed', -40 * 86_400), openedMs],
    ['that was reversed by a date of long before it was opened', ended('reversed', -40 * 86_400), openedMs],
    ['that was reversed, from its reversal on', ended('reversed', 600), openedMs + 10 * minuteMs],
    ['that was reversed long after its expiry', ended('reversed', 7200), openedMs + 120 * minuteMs],
    ['that was lost with money', lost, expiresMs],
    ['that nobody has seen, from its creation on', unseen(), openedMs],
    ['that has failed and nobody has seen', unseen({ observed: observed('failed') }), openedMs],
  ])('a payment %s is verified ever less often, for seven days', (_name, payment, endMs) => {
    expect(pauseAt(payment, endMs)).toBe(minuteMs);
    expect(pauseAt(payment, endMs + 2 * minuteMs)).toBe(minuteMs);
    expect(pauseAt(payment, endMs + hourMs)).toBe(hourMs / 2);
    expect(pauseAt(payment, endMs + 5 * dayMs)).toBe(dayMs);
    expect(pauseAt(payment, endMs + 7 * dayMs)).toBe(dayMs);
    expect(pauseAt(payment, endMs + 7 * dayMs + 1)).toBeNull();
  });
});

describe('money', () => {
  it.each([
    shown({ observed: observed('charged', 1000) }),
    shown({ observed: observed('awaiting_charge', 1) }),
    shown({ state: 'closed', observed: observed('a_status_of_tomorrow', 1) }),
    shown({ observed: observed('expired', 1000) }),
  ])('is verified at least each hour, without end, if it is not confirmed: $observed.status', (payment) => {
    expect(pauseAt(payment, expiresMs)).toBe(minuteMs);
    expect(pauseAt(payment, expiresMs + 2 * hourMs)).toBe(hourMs / 2);
    expect(pauseAt(payment, expiresMs + 400 * dayMs)).toBe(hourMs);
  });

  it('is verified alike if it is not confirmed, on an account that was never shown', () => {
    const payment = unseen({ observed: observed('charged', 1000) });
    expect(pauseAt(payment, openedMs + 400 * dayMs)).toBe(hourMs);
  });

  it.each<Payment>([
    shown({ observed: observed('succeeded', 1000, 0) }),
    shown({ observed: observed('succeeded', 1, 0), missingSince: at(60) }),
    unseen({ observed: observed('succeeded', 1000, 0) }),
    // Dated long before it was opened.
    shown({ observed: observed('succeeded', 1000, -40 * 86_400) }),
  ])('is verified for thirty days if it is confirmed: $state', (payment) => {
    expect(pauseAt(payment, openedMs)).toBe(30 * minuteMs);
    expect(pauseAt(payment, openedMs + dayMs)).toBe(dayMs);
    expect(pauseAt(payment, openedMs + 30 * dayMs)).toBe(2 * dayMs);
    expect(pauseAt(payment, openedMs + 30 * dayMs + 1)).toBeNull();
  });

  it.each<Payment>([
    shown({ observed: observed('expired', 400, 1800) }),
    shown({ state: 'closed', observed: observed('expired', 400, 1800) }),
    shown({ observed: observed('failed', 400, 1800) }),
  ])('is verified for thirty days if it is a confirmed part: $observed.status', (payment) => {
    expect(pauseAt(payment, expiresMs)).toBe(minuteMs);
    expect(pauseAt(payment, expiresMs + 7 * dayMs)).toBe(dayMs);
    expect(pauseAt(payment, expiresMs + 7 * dayMs + 1)).toBe(2 * dayMs);
    expect(pauseAt(payment, expiresMs + 30 * dayMs)).toBe(2 * dayMs);
    expect(pauseAt(payment, expiresMs + 30 * dayMs + 1)).toBeNull();
  });

  it('is verified for late money, too, if less than the price is confirmed long before the expiry', () => {
    const payment = shown({
      opened: { ...account, expiresAt: new Date(openedMs + 30 * dayMs).toISOString() },
      observed: observed('succeeded', 400, 0),
    });
    expect(pauseAt(payment, openedMs + 30 * dayMs)).toBe(2 * dayMs);
    expect(pauseAt(payment, openedMs + 32 * dayMs)).toBe(dayMs);
    expect(pauseAt(payment, openedMs + 37 * dayMs + 1)).toBeNull();
  });

  it('is verified for seven days if it has failed without its confirmed money', () => {
    const payment = shown({ observed: observed('failed', 0, 1800) });
    expect(pauseAt(payment, expiresMs + 7 * dayMs + 1)).toBeNull();
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
      shown({ observed: observed('expired') }),
      shown({ reference: 'b', observed: observed('succeeded', 1000, 8 * 86_400) }),
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
    expect(nextDue(orderOf(shownLink({}, { observed: observed('expired') })), late).afterMs).toBeNull();
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
