/**
 * After so many failures in a row a handler's outcome becomes a dead letter. The pauses between them last three days at least and
 * about six at most (the shortest and the longest jitter), so that no outage of an evening or a weekend needs a person.
 */
export const defaultMaxHandlerTries = 160;

const firstPauseMs = 1000;

/** An outage of any length is over for every order an hour after it has ended. */
const longestPauseMs = 3_600_000;

/**
 * Returns the pause before the handler is called again, in milliseconds: twice as long after each failure, up to an hour, and
 * shortened by jitter to a half at least, so that the orders of an outage do not all come back at the same moment.
 *
 * @param failures how often it has failed, 1 or more
 * @param random from 0 up to, not including, 1
 */
export function handlerPauseMs(failures: number, random: number): number {
  const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return pauseMs * (0.5 + random / 2);
}
