import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mergeObservation, mergeRows } from '../../../../server-kit/engine/order/merge.ts';
import type { Observation } from '../../../../server-kit/engine/order/record.ts';
import { paymentStatuses } from '../../../../src/contract/index.ts';
import { at, observed, price } from './orders.ts';

const dayS = 86_400;
const newStatus = 'a_status_of_tomorrow';

/** What the service says, with the money on the payment and the seconds after noon. */
const says = (status: string, chargedAmount: number, seconds = 0) => observed(status, chargedAmount, seconds);

/** Merges each observation into what is known by then, and returns what came of the last one. */
const mergeAll = (...history: Observation[]) =>
  history.reduce<ReturnType<typeof mergeObservation> | null>(
    (known, next) => mergeObservation(known?.record ?? null, next, price),
    null,
  );
const merge = (...history: Observation[]) => mergeAll(...history)?.record ?? null;
const fateOf = (...history: Observation[]): string => mergeAll(...history)?.ignored ?? 'accepted';

it('has the same rows in the documentation', () => {
  const page = readFileSync('docs/reference/states.md', 'utf8');
  const documented = [...page.matchAll(/^\| \d+ \|.*\| (?:counts|is ignored: `(\w+)`) \|$/gm)];
  expect(documented.map(([_, reason]) => reason ?? null)).toEqual(mergeRows.map(({ ignored }) => ignored));
});

/** The fate of a response dated a second earlier, without money: by the known status, then by its own status. */
const earlierResponses = {
  initiated: 'older accepted accepted accepted accepted accepted accepted',
  awaiting_charge: 'older older accepted accepted accepted accepted accepted',
  charged: 'older older older accepted accepted accepted accepted',
  succeeded: 'older older older older accepted older accepted',
  failed: 'older older older older older older accepted',
  expired: 'older older accepted accepted accepted older accepted',
};

it.each(
  Object.entries(earlierResponses).flatMap(([known, fates]) =>
    fates.split(' ').map((fate, index) => [paymentStatuses[index] ?? '', known, fate] as const),
  ),
)('a response with an earlier date is $2 when it says %s after %s', (status, known, fate) => {
  expect(fateOf(says(known, 0), says(status, 0, -1))).toBe(fate);
  expect(fateOf(says(known, 0), says(status, 0, -7200))).toBe(fate);
  expect(fateOf(says(known, 0), says(status, 0, -7201))).toBe('older');
  if (known !== status) expect(fateOf(says(known, 0), says(status, 0, 31))).toBe('accepted');
});

describe('below the full amount', () => {
  it.each<[string, Observation, string]>([
    ['that it waits for the rest', says('awaiting_charge', 400, 60), 'accepted'],
    ['less money later', says('charged', 100, 60), 'accepted'],
    ['less money earlier', says('charged', 100, -1), 'older'],
    ['less money at the same time', says('charged', 300), 'accepted'],
    ['more money, long before', says('awaiting_charge', 401, -dayS), 'accepted'],
    ['a status of tomorrow later', says(newStatus, 400, 1), 'accepted'],
    ['a status of tomorrow earlier', says(newStatus, 400, -1), 'older'],
    ['a failure seconds before', says('failed', 0, -30), 'accepted'],
    ['a failure long before', says('failed', 0, -31), 'older'],
    ['its expiry, dated an hour before', says('expired', 400, -3600), 'accepted'],
    ['the expiry of less, seconds before', says('expired', 0, -1), 'older'],
  ])('dates decide: after a charged part, %s is $2', (_name, next, fate) => {
    expect(fateOf(says('charged', 400), next)).toBe(fate);
  });

  it.each<[string, number, Observation, string]>([
    ['succeeded', 400, says('succeeded', 1000, -7200), 'accepted'],
    ['succeeded', 400, says('succeeded', 1000, -7201), 'older'],
    ['succeeded', 400, says('charged', 1000, 30), 'older'],
    ['succeeded', 400, says('awaiting_charge', 0, 31), 'accepted'],
    ['succeeded', 400, says('failed', 0, 1), 'accepted'],
    ['expired', 400, says('awaiting_charge', 0, 30), 'older'],
    ['expired', 400, says('awaiting_charge', 0, 31), 'accepted'],
    ['expired', 400, says('charged', 400, 1), 'accepted'],
    ['expired', 0, says('awaiting_charge', 0, 1), 'accepted'],
    ['failed', 0, says('charged', 1000, -1), 'older'],
    ['failed', 0, says('charged', 1000, 1), 'accepted'],
    ['expired', 0, says('charged', 400, -dayS), 'accepted'],
    [newStatus, 0, says('awaiting_charge', 0, 1), 'accepted'],
    [newStatus, 0, says('charged', 0, -1), 'accepted'],
    [newStatus, 0, says('initiated', 0, -1), 'older'],
  ])('after %s with %i, it is $3 when it says %o', (status, chargedAmount, next, fate) => {
    expect(fateOf(says(status, chargedAmount), next)).toBe(fate);
  });
});

describe('at the full amount, the lifecycle decides', () => {
  const unpaid = ['initiated', 'awaiting_charge', 'charged', 'failed', 'expired', newStatus];
  it.each(unpaid)('a payment is paid, and stays so, whenever the service has said %s', (status) => {
    expect(fateOf(says(status, 0), says('succeeded', 1000, -dayS))).toBe('accepted');
    expect(fateOf(says(status, 1000), says('succeeded', 1000, -dayS))).toBe('accepted');
    expect(fateOf(says('succeeded', 1000), says(status, 1000, dayS))).toBe('afterPaid');
  });

  it.each<[string, Observation, string]>([
    ['more money', says('succeeded', 1500, 1), 'accepted'],
    ['less money with a later date', says('succeeded', 600, 1), 'accepted'],
    ['less money of before', says('succeeded', 600, -1), 'older'],
    ['a reversal by a date of long before', says('reversed', 1000, -dayS), 'accepted'],
  ])('after a payment is paid, %s is $2', (_name, next, fate) => {
    expect(fateOf(says('succeeded', 1000), next)).toBe(fate);
  });

  it.each<[string, Observation, string]>([
    ['that it waits', says('awaiting_charge', 1000, 60), 'older'],
    ['an expiry', says('expired', 0, dayS), 'older'],
    ['a status of tomorrow', says(newStatus, 1000, 60), 'older'],
    ['a failure', says('failed', 0, 60), 'accepted'],
    ['a confirmed part', says('succeeded', 400, 60), 'accepted'],
    ['less money', says('charged', 999, 60), 'accepted'],
    ['more money', says('charged', 1001, -dayS), 'accepted'],
  ])('after the full amount is charged, %s is $2', (_name, next, fate) => {
    expect(fateOf(says('charged', 1000), next)).toBe(fate);
  });
});

describe('after a reversal', () => {
  const paid = says('succeeded', 1000);
  const reversed = says('reversed', 1000, 60);

  it.each<[string, Observation, string]>([
    ['a confirmation of the same seconds', says('succeeded', 1000, 90), 'afterReversal'],
    ['a later confirmation', says('succeeded', 400, 91), 'accepted'],
    ['another date of the reversal', says('reversed', 1000, 61), 'accepted'],
    ['another amount of the reversal', says('reversed', 0, 60), 'accepted'],
    ['a reversal of before', says('reversed', 2000, 59), 'afterReversal'],
    ...paymentStatuses.flatMap((status): [string, Observation, string][] => [
      [`a later ${status}`, says(status, 1000, 91), 'accepted'],
      [`an earlier ${status}`, says(status, 1000, 59), 'afterReversal'],
    ]),
  ])('%s is $2', (_name, next, fate) => {
    expect(fateOf(paid, reversed, next)).toBe(fate);
    expect(fateOf(says('charged', 1000), reversed, next)).toBe(fate);
  });

  it.each<[string, Observation, string]>([
    ['the first reversal', reversed, 'afterReversal'],
    ['the second reversal', says('reversed', 400, dayS + 60), 'accepted'],
    ['another date of the first reversal', says('reversed', 1000, 61), 'older'],
    ['the first confirmation, though it was of more', paid, 'afterReversal'],
  ])('and new money, %s is $2', (_name, next, fate) => {
    for (const status of ['succeeded', 'charged'])
      expect(fateOf(paid, reversed, says(status, 400, dayS), next)).toBe(fate);
  });
});

describe('an observation', () => {
  it.each([...paymentStatuses, newStatus])('is the same object when nothing new follows %s', (status) => {
    for (const response of [says(status, 1000), says('initiated', 0, -dayS)]) {
      const known = merge(says(status, 1000)) as Observation;
      expect(mergeObservation(known, response, price).record).toBe(known);
    }
  });

  it('is recorded when only the expected amount differs', () => {
    const next = { ...says('charged', 1000), expectedAmount: 1200 };
    expect(merge(says('charged', 1000), next)).toMatchObject({ expectedAmount: 1200 });
  });

  it('is full only at the expected amount, where that is more than the price', () => {
    const [known, next] = [says('charged', 1000), says('expired', 1000, 60)];
    expect(fateOf({ ...known, expectedAmount: 1200 }, next)).toBe('accepted');
  });

  it.each<[since: string | undefined, ...Observation[]]>([
    [at(0), says('charged', 1000), says('charged', 1000, 60)],
    [at(5), says('awaiting_charge', 0), says(newStatus, 1, 5)],
    [undefined, says('charged', 1000), says('succeeded', 1000, 1)],
    [undefined, says(newStatus, 0)],
    ...paymentStatuses.flatMap((status): [undefined, Observation][] =>
      status === 'charged' ? [] : [[undefined, says(status, 1)]],
    ),
  ])('notes that money waits to be confirmed since %s after %o', (since, ...history) => {
    expect(merge(...history)?.confirmingSince).toBe(since);
  });

  it('keeps the date of the last reversal', () => {
    const history = [says('succeeded', 1000), says('reversed', 1000, 60), says('charged', 1000, dayS)];
    expect(merge(...history)).toMatchObject({ reversedAt: at(60) });
    expect(merge(says('succeeded', 1000))).not.toHaveProperty('reversedAt');
  });
});
