import { describe, expect, it } from 'vitest';
import { mergeObservation } from '../../../../server-kit/checkout/order/merge.ts';
import type { Observation } from '../../../../server-kit/checkout/order/order.ts';
import { paymentStatuses } from '../../../../src/contract/index.ts';

const price = { value: 1000, currency: 'NGN' };
const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1, 12) + seconds * 1000).toISOString();
const dayS = 86_400;
const newStatus = 'a_status_of_tomorrow';

/** What the service says, with the money on the payment and the seconds after noon. */
const says = (status: string, chargedAmount: number, seconds = 0): Observation => ({
  status,
  chargedAmount,
  expectedAmount: price.value,
  updatedAt: at(seconds),
});

/** Merges each observation into what is known by then, and returns what came of the last one. */
const mergeAll = (...history: Observation[]) =>
  history.reduce<ReturnType<typeof mergeObservation> | null>(
    (known, next) => mergeObservation(known?.record ?? null, next, price),
    null,
  );
const merge = (...history: Observation[]) => mergeAll(...history)?.record ?? null;
const fateOf = (...history: Observation[]): string => mergeAll(...history)?.ignored ?? 'accepted';

/** The fate of a response with an earlier date and no money: by the known status, then by its own status. */
const earlierResponses = {
  initiated: 'older accepted accepted accepted accepted accepted accepted',
  awaiting_charge: 'older older accepted accepted accepted accepted accepted',
  charged: 'forgetsMoney forgetsMoney older accepted accepted forgetsMoney accepted',
  succeeded: 'forgetsMoney forgetsMoney older older older forgetsMoney accepted',
  failed: 'older older older accepted older older accepted',
  expired: 'older older accepted accepted accepted older accepted',
};

describe('a response with an earlier date', () => {
  it.each(
    Object.entries(earlierResponses).flatMap(([known, fates]) =>
      fates.split(' ').map((fate, index) => [paymentStatuses[index] ?? '', known, fate] as const),
    ),
  )('is $2 when it says %s after %s', (status, known, fate) => {
    expect(fateOf(says(known, 0), says(status, 0, -1))).toBe(fate);
  });
});

describe('a response', () => {
  it('counts when it pays in full what has expired with a part, also if the expiry has a date that is an hour late', () => {
    expect(fateOf(says('expired', 500, 3600), says('succeeded', 1000, 240))).toBe('accepted');
  });

  it('counts when it confirms all after a part has expired with a date that is an hour late', () => {
    const history = [says('expired', 500, 3600), says('charged', 1000, 240)];
    expect(fateOf(...history, says('succeeded', 1000, 300))).toBe('accepted');
  });

  it.each(['charged', 'awaiting_charge', 'failed'])(
    'is outdated when it confirms what has gone since, by %s',
    (status) => {
      const [part, gone] = [says('succeeded', 500, 8000), says(status, status === 'failed' ? 0 : 1000, 8100)];
      expect(fateOf(part, gone, says('succeeded', 1000, 799))).toBe('older');
      expect(fateOf(part, gone, says('succeeded', 1000, 9000))).toBe('accepted');
    },
  );

  it.each([
    ['with the same status and more money, of before', says('awaiting_charge', 501, -1), 'accepted'],
    ['with the same status and more money, long before', says('awaiting_charge', 501, -dayS), 'accepted'],
    ['with the same status, date and less money', says('awaiting_charge', 499), 'older'],
    ['with the same status, less money and a later date', says('awaiting_charge', 499, 1), 'accepted'],
    ['with the same status and money, of before', says('awaiting_charge', 500, -1), 'older'],
    ['that has forgotten the part', says('awaiting_charge', 0, 60), 'forgetsMoney'],
    ['that has expired without the part', says('expired', 0, 60), 'forgetsMoney'],
    ['that has failed without the part', says('failed', 0, 60), 'accepted'],
    ['that has failed with less, seconds before', says('failed', 100, -30), 'accepted'],
    ['that has failed with less, long before', says('failed', 100, -31), 'older'],
    ['that has failed with the part, long before', says('failed', 500, -31), 'accepted'],
    ['that is charged with less, long before', says('charged', 100, -31), 'accepted'],
    ['that is reversed, up to two hours before', says('reversed', 0, -7200), 'accepted'],
    ['that is reversed, long before', says('reversed', 500, -7201), 'older'],
    ['with a new status of the same date', says(newStatus, 500), 'accepted'],
    ['with a new status of before', says(newStatus, 500, -1), 'older'],
    ['that is whole, long before', says('succeeded', 1000, -dayS), 'accepted'],
    ['that is almost whole, long before', says('succeeded', 999, -dayS), 'accepted'],
  ])('after a part, a response %s is $2', (_name, next, fate) => {
    expect(fateOf(says('awaiting_charge', 500), next)).toBe(fate);
  });

  it.each([
    ['expired', 0, says('charged', 1000, -1), 'accepted'],
    ['expired', 500, says('charged', 1000, -dayS), 'accepted'],
    ['expired', 500, says('succeeded', 1000, -dayS), 'accepted'],
    ['charged', 1000, says('awaiting_charge', 1000, 60), 'older'],
    ['charged', 1000, says('failed', 0, 1), 'accepted'],
    ['charged', 1000, says('charged', 999), 'older'],
    // Of two nodes whose clocks differ by seconds, one has given the charge up.
    ['failed', 0, says('charged', 1000, -30), 'accepted'],
    ['failed', 0, says('charged', 1000, -31), 'older'],
    ['failed', 0, says('charged', 0), 'older'],
    ['failed', 0, says('succeeded', 400, -31), 'older'],
    ['failed', 1000, says('succeeded', 1000, -dayS), 'accepted'],
    [newStatus, 1000, says('succeeded', 1000, -dayS), 'accepted'],
    [newStatus, 1000, says('charged', 1000), 'accepted'],
    [newStatus, 0, says('awaiting_charge', 0, 1), 'forgetsMoney'],
    ['succeeded', 999, says('succeeded', 1000, -7200), 'accepted'],
    ['succeeded', 999, says('succeeded', 1000, -7201), 'older'],
    ['failed', 400, says('reversed', 400, -30), 'accepted'],
    ['failed', 400, says('failed', 0, -30), 'accepted'],
    ['failed', 400, says('failed', 0, -31), 'older'],
    ['failed', 400, says('failed', 400, -1), 'older'],
    ['failed', 400, says('succeeded', 400, -30), 'accepted'],
    ['failed', 400, says('succeeded', 400, -31), 'older'],
    ['succeeded', 400, says('failed', 0, -30), 'accepted'],
    ['succeeded', 400, says('failed', 0, -31), 'older'],
    ['succeeded', 999, says('charged', 1000, -30), 'accepted'],
    ['succeeded', 999, says('charged', 1000, -31), 'older'],
  ])('is $3 when, after %s with %i, it says %o', (status, chargedAmount, next, fate) => {
    expect(fateOf(says(status, chargedAmount), next)).toBe(fate);
  });

  it('returns the same object when it brings nothing new', () => {
    for (const status of [...paymentStatuses, newStatus]) {
      const known = merge(says(status, 1000));
      if (typeof known === 'string') throw new Error(known);
      expect(mergeObservation(known, says(status, 1000), price).record).toBe(known);
    }
  });

  it('is recorded when only the expected amount differs', () => {
    const next = { ...says('charged', 1000), expectedAmount: 1200 };
    expect(merge(says('charged', 1000), next)).toMatchObject({ expectedAmount: 1200 });
  });
});

describe('a response after a full payment', () => {
  it.each(['initiated', 'awaiting_charge', 'charged', 'failed', 'expired', newStatus])(
    'is ignored when it says %s',
    (status) => {
      expect(fateOf(says('succeeded', 1000), says(status, 1000, dayS))).toBe('afterPaid');
    },
  );

  it.each([
    ['more money', says('succeeded', 1500, 1), 'accepted'],
    ['less money with a later date', says('succeeded', 600, 1), 'accepted'],
    ['less money of before', says('succeeded', 600, -1), 'older'],
    ['a reversal', says('reversed', 0, 1), 'accepted'],
    ['a reversal by a node whose clock is behind', says('reversed', 1000, -30), 'accepted'],
    ['a reversal by a date of long before', says('reversed', 1000, -3600), 'accepted'],
  ])('is $2 when it says %s: %o', (_name, next, fate) => {
    expect(fateOf(says('succeeded', 1000), next)).toBe(fate);
  });
});

describe('a response after a reversal of confirmed money', () => {
  const paid = says('succeeded', 1000);
  const reversed = says('reversed', 1000, 60);

  it.each<[string, Observation, string]>([
    ['the confirmation of before', paid, 'afterReversal'],
    ['the same confirmation', says('succeeded', 1000, 60), 'afterReversal'],
    ['a confirmation of the same seconds', says('succeeded', 1000, 90), 'afterReversal'],
    ['a later confirmation', says('succeeded', 400, 91), 'accepted'],
    ['another date of the reversal', says('reversed', 1000, 61), 'accepted'],
    ['another amount of the reversal', says('reversed', 0, 60), 'accepted'],
    ['a reversal of before', says('reversed', 2000, 59), 'afterReversal'],
    ...paymentStatuses.flatMap((status): [string, Observation, string][] => [
      [`a later ${status}`, says(status, 1000, 91), 'accepted'],
      [`an earlier ${status}`, says(status, 1000, 59), 'afterReversal'],
    ]),
  ])('is $2 when it says %s: %o', (_name, next, fate) => {
    expect(fateOf(paid, reversed, next)).toBe(fate);
  });

  it.each([
    ['the confirmation of before', paid, 'older'],
    ['a confirmation of the seconds of the reversal', says('succeeded', 1000, 90), 'older'],
    ['a confirmation of after it', says('succeeded', 1000, 91), 'accepted'],
  ])('is $2 when, after a later charge, it says %s: %o', (_name, next, fate) => {
    expect(fateOf(paid, reversed, says('charged', 1000, dayS), next)).toBe(fate);
  });

  it('is ignored when it confirms a part of an expired payment that was reversed since', () => {
    expect(fateOf(says('expired', 400), says('reversed', 400, 60), says('succeeded', 400, 50))).toBe(
      'afterReversal',
    );
  });

  it.each([
    ['the first reversal', reversed, 'older'],
    ['the second reversal', says('reversed', 400, dayS + 60), 'accepted'],
    ['the second reversal, dated right after the first', says('reversed', 400, 61), 'accepted'],
    ['the first confirmation, though it was of more', paid, 'older'],
    ['the first charge, though it was of more', says('charged', 1000, -60), 'older'],
  ])('is $2 when, after new money, it says %s: %o', (_name, next, fate) => {
    expect(fateOf(paid, reversed, says('succeeded', 400, dayS), next)).toBe(fate);
  });

  it('is ignored when a node that is behind repeats the reversal after new money', () => {
    expect(fateOf(paid, reversed, says('succeeded', 1000, dayS), reversed)).toBe('older');
  });

  it.each([
    ['the confirmation again', dayS, 'accepted'],
    ['another one of the same hours', dayS - 7200, 'accepted'],
    ['one of before, whose money has gone since', dayS - 7201, 'afterReversal'],
  ])('is $2 when a node that is behind brings late %s, at %i', (_name, seconds, fate) => {
    expect(fateOf(says('succeeded', 400, dayS), reversed, says('succeeded', 1000, seconds))).toBe(fate);
  });
});

describe('a response after a failure without money that was confirmed', () => {
  const history = [says('expired', 400), says('charged', 1000, 60), says('failed', 0, 120)];

  it.each([
    ['the confirmed part again, long before', says('expired', 400, 89), 'older'],
    ['the confirmed part again, by a node whose clock is ahead', says('expired', 400, 90), 'accepted'],
    ['a confirmation of all, seconds before', says('succeeded', 1000, 119), 'accepted'],
    ['a confirmation of all, long before', says('succeeded', 1000, 10), 'accepted'],
    ['the same with another date', says('failed', 0, 121), 'accepted'],
    ['a reversal', says('reversed', 0, 120), 'accepted'],
  ])('is $2 when it says %s: %o', (_name, next, fate) => {
    expect(fateOf(...history, next)).toBe(fate);
  });
});

describe('a response after a reversal of money that was never confirmed', () => {
  const reversed = says('reversed', 0, dayS);

  it.each([...paymentStatuses.slice(0, -1), newStatus])('is accepted when it says %s', (status) => {
    expect(fateOf(says('charged', 1000), reversed, says(status, 0))).toBe('accepted');
    expect(fateOf(reversed, says(status, 0))).toBe('accepted');
  });

  it('is accepted when it confirms the money, and when it then reverses it', () => {
    expect(fateOf(reversed, says('succeeded', 1000))).toBe('accepted');
    expect(merge(reversed, says('succeeded', 1000), reversed)).toMatchObject({ status: 'reversed' });
    expect(fateOf(reversed, says('succeeded', 1000), reversed, says('succeeded', 1000))).toBe(
      'afterReversal',
    );
  });
});

describe('an observation', () => {
  it('notes since when money waits to be confirmed', () => {
    expect(merge(says('charged', 1000), says('charged', 1000, 60))).toMatchObject({ confirmingSince: at(0) });
    expect(merge(says('awaiting_charge', 0), says(newStatus, 0, 5))).toMatchObject({
      confirmingSince: at(5),
    });
  });

  it.each(['initiated', 'awaiting_charge', 'succeeded', 'failed', 'expired', 'reversed'])(
    'notes no time for %s',
    (status) => {
      expect(merge(says(status, 1))).not.toHaveProperty('confirmingSince');
    },
  );

  it('forgets that time once the money is confirmed', () => {
    expect(merge(says('charged', 1000), says('succeeded', 1000, 1))).not.toHaveProperty('confirmingSince');
  });

  it.each([
    ['succeeded', 1000, at(0)],
    ['expired', 400, at(0)],
    ['expired', 0, undefined],
    ['charged', 1000, undefined],
    ['reversed', 1000, undefined],
  ])('notes of %s with %i that money was confirmed at %s', (status, chargedAmount, confirmedAt) => {
    expect((merge(says(status, chargedAmount)) as Observation).confirmedAt).toBe(confirmedAt);
  });

  it('keeps the date of a loss when a later response repeats it, but that of the last reversal', () => {
    const failed = merge(says('expired', 400), says('failed', 0, 120), says('failed', 0, 500));
    expect(failed).toMatchObject({ lostAt: at(120) });
    const reversed = merge(says('expired', 400), says('reversed', 0, 120), says('reversed', 0, 500));
    expect(reversed).toMatchObject({ lostAt: at(120), reversedAt: at(500) });
  });

  it('keeps its own loss where it follows another payment of the link', () => {
    const before = { ...says('initiated', 0, 300), lostAt: at(300), reversedAt: at(300) };
    const own = { confirmedAt: at(900), lostAt: at(600), reversedAt: at(600) };
    const { record } = mergeObservation(before, { ...says('expired', 0, 900), ...own }, price);
    expect(record).toMatchObject(own);
  });

  it('keeps the date of the confirmation, and replaces it by that of the next', () => {
    expect(merge(says('succeeded', 1000), says('reversed', 1000, 60))).toMatchObject({ confirmedAt: at(0) });
    expect(merge(says('expired', 1), says('succeeded', 1000, 60))).toMatchObject({ confirmedAt: at(60) });
  });
});
