/**
 * Returns the most that one client may use of a capacity, so that all of it is used: clients that want less get what they
 * want, and the others share the rest equally. Infinite if there is enough for all.
 *
 * @param wanted how much each client wants
 */
export function fairShare(wanted: readonly number[], capacity: number): number {
  const ascending = [...wanted].sort((left, right) => left - right);
  let left = capacity;
  for (const [index, amount] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (amount > share) return share;
    left -= amount;
  }
  return Number.POSITIVE_INFINITY;
}
