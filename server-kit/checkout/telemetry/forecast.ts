import { createMeanRate } from '../fairness/mean-rate.ts';
import { nextDue, type WatchTimes } from '../order/next-due.ts';
import { newOrder, type ShownPayment } from '../order/order.ts';

export type ForecastOptions = {
  times: WatchTimes;
  maxVerificationsPerSecond: number;
  doCallbacksArrive: () => boolean;
  now: () => number;
};

/** The rate is about the mean of this time. */
const averagedMs = 600_000;

/** More than any payment has, with any watch times. */
const mostVerifications = 100_000;

const maxRemembered = 100;

export type Forecast = ReturnType<typeof createForecast>;

/** Forecasts the load of the verifications for which no shopper waits, from the payments that were opened lately. */
export function createForecast(options: ForecastOptions) {
  const { maxVerificationsPerSecond, doCallbacksArrive, now } = options;
  const counts = new Map<string, number>();
  const wanted = createMeanRate(averagedMs, now);
  /** Shops use few lifetimes, so each is counted once. */
  const verificationsOf = (payment: ShownPayment): number => {
    const { openedAt, expiresAt } = payment.opened;
    const minutes = Math.round((Date.parse(expiresAt) - Date.parse(openedAt)) / 60_000);
    const key = `${minutes}:${doCallbacksArrive()}`;
    if (counts.size >= maxRemembered) counts.clear();
    const count = counts.get(key) ?? countVerifications(options, payment);
    counts.set(key, count);
    return count;
  };
  return {
    noteOpened: (payment: ShownPayment): void => wanted.add(verificationsOf(payment)),
    /** Returns the share of the ceiling that is needed in the end if payments continue to be opened as in the last ten minutes. */
    load: () => wanted.perSecond() / maxVerificationsPerSecond,
  };
}

/** Counts the verifications until the watch ends without money, which is the most. */
function countVerifications({ times, doCallbacksArrive }: ForecastOptions, payment: ShownPayment): number {
  const { amount, opened } = payment;
  // A link that nobody opens is watched until a verification has expired it.
  const observed = {
    status: 'expired',
    chargedAmount: 0,
    expectedAmount: amount.value,
    updatedAt: opened.expiresAt,
  };
  const order = { ...newOrder(''), payments: [{ ...payment, observed }] };
  const facts = { ...times, doCallbacksArrive: doCallbacksArrive() };
  let atMs = Date.parse(opened.openedAt);
  for (let count = 0; count < mostVerifications; count++) {
    const { afterMs } = nextDue(order, { ...facts, serviceNow: atMs, now: atMs, storeNow: atMs });
    if (afterMs === null) return count;
    atMs += afterMs;
  }
  return mostVerifications;
}
