/** The service's clock, estimated from its responses. */
export type ServiceClock = {
  /** The service's time, in milliseconds since the epoch. */
  now: () => number;
  /** How far the service's clock is ahead of the local one, in milliseconds; 0 while unknown. */
  offsetMs: () => number;
  /** Whether a response has set the clock. */
  isKnown: () => boolean;
  /**
   * Sets the clock by the `Date` of a response (RFC 9110, section 6.6.1).
   *
   * @param sentAt the local clock when the request was sent
   */
  update: (date: string | null, sentAt: number) => void;
  /** Goes back to an earlier offset, if a response turned out not to be trustworthy. */
  restore: (offsetMs: number) => void;
};

/**
 * Keeps the offset between the local clock and the service's. A `Date` names a whole second somewhere between sending and
 * receiving, which gives an interval for the offset. The offset changes only when a response contradicts it, so that a
 * countdown does not jitter. It then takes the latest possible time, so that an account is never shown as open for too
 * long.
 */
export function createServiceClock(now: () => number): ServiceClock {
  let offset = 0;
  let isKnown = false;
  return {
    now: () => now() + offset,
    offsetMs: () => offset,
    isKnown: () => isKnown,
    update(date, sentAt) {
      const second = date === null ? Number.NaN : Date.parse(date);
      // Other times have no timestamp of ten digits (interface, section 5), so nothing could be signed with them.
      if (!(second >= 1e12 && second < 1e13)) return;
      isKnown = true;
      const lowest = second - now();
      // The last millisecond of the second in the header.
      const highest = second + 999 - sentAt;
      if (offset < lowest || offset > highest) offset = highest;
    },
    restore(offsetMs) {
      offset = offsetMs;
    },
  };
}
