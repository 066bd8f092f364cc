/**
 * The number of failures in a row after which an outbox event becomes a dead letter. The pauses add up to between three and
 * six days, depending on the jitter, so that an outage of an evening or a weekend needs no person.
 */
export const defaultMaxHandlerTries = 160;

const firstPauseMs = 1000;

/** Every order recovers within an hour after an outage, however long it was. */
const longestPauseMs = 3_600_000;

/**
 * Returns the pause before the handler is called again, in milliseconds: doubled after each failure, up to an hour, and
 * shortened by jitter to no less than half, so that the orders of an outage are not all retried at the same moment.
 *
 * @param failures how often it has failed, 1 or more
 * @param random from 0 up to, not including, 1
 */
export function handlerPauseMs(failures: number, random: number): number {
  const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return pauseMs * (0.5 + random / 2);
}
