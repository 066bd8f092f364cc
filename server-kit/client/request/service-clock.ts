/** The service's clock, as far as its answers tell it. */
export type ServiceClock = {
  /** The time at the service, in milliseconds since the epoch. */
  now: () => number;
  /** How far the service's clock is ahead of the local one, in milliseconds; 0 for as long as that is not known. */
  offsetMs: () => number;
  /** Whether an answer has told the time. */
  isKnown: () => boolean;
  /**
   * Learns from the `Date` of an answer (RFC 9110, section 6.6.1).
   *
   * @param sentAt the local clock when the request left
   */
  update: (date: string | null, sentAt: number) => void;
  /** Takes back what was learned from an answer that was not to be believed. */
  restore: (offsetMs: number) => void;
};

/**
 * Keeps the offset between the local clock and the service's. A `Date` names a whole second, and the answer was
 * made some time between sending and receiving: that gives an interval for the offset. The offset stays until an
 * answer proves it wrong, so that a countdown does not tremble; then it takes the latest time that is possible, so
 * that an account is never shown as open for longer than it is.
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
      // Any other moment has no timestamp of ten digits (interface, section 5): nothing could be signed by it.
      if (!(second >= 1e12 && second < 1e13)) return;
      isKnown = true;
      const lowest = second - now();
      // The last millisecond of the second that the header names.
      const highest = second + 999 - sentAt;
      if (offset < lowest || offset > highest) offset = highest;
    },
    restore(offsetMs) {
      offset = offsetMs;
    },
  };
}
