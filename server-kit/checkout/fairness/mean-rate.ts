/**
 * Creates a measurement of how often something happens in a second: the mean of about the last `averagedMs`, in which what
 * happened counts less the older it is.
 */
export function createMeanRate(averagedMs: number, now: () => number) {
  let last = { perSecond: 0, atMs: now() };
  const perSecond = (): number => last.perSecond * Math.exp(-Math.abs(now() - last.atMs) / averagedMs);
  return {
    perSecond,
    add(count: number): void {
      last = { perSecond: perSecond() + (count * 1000) / averagedMs, atMs: now() };
    },
  };
}
