import type { WaveResult } from './wave.ts';
import type { Violation, WaveSettings } from './world/settings.ts';
import { startMs } from './world/settings.ts';

/** What all waves together have come to. */
export type Totals = { waves: number; counts: Record<string, number>; peaks: Record<string, number> };

export const createTotals = (): Totals => ({ waves: 0, counts: {}, peaks: {} });

export function addToTotals(totals: Totals, { counts, peaks }: WaveResult): void {
  totals.waves++;
  for (const [what, count] of Object.entries(counts))
    totals.counts[what] = (totals.counts[what] ?? 0) + count;
  for (const [what, peak] of Object.entries(peaks))
    totals.peaks[what] = Math.max(totals.peaks[what] ?? 0, peak);
}

/** A line for each thing that was counted, in alphabetical order. */
export function describeTotals({ counts, peaks }: Totals): string {
  const rows = [
    ...Object.entries(counts).map(([what, count]) => [what, Math.round(count)] as const),
    ...Object.entries(peaks).map(([what, peak]) => [`most ${what}`, peak] as const),
  ].sort(([left], [right]) => (left < right ? -1 : 1));
  return rows.map(([what, count]) => `  ${what.padEnd(46)}${String(count).padStart(12)}`).join('\n');
}

/** What was broken, and how to see it again. */
export function describeFailure(
  { seed, wave, faults, instances, store, orders }: WaveSettings,
  violations: readonly Violation[],
): string {
  const lines = violations.slice(0, 5).map(({ rule, orderId, text, atMs }) => {
    const hours = ((atMs - startMs) / 3_600_000).toFixed(3);
    return `  broken: ${rule} (${orderId ?? 'no order'}, after ${hours} h): ${text}`;
  });
  const known = violations.find(
    ({ orderId }) => orderId !== undefined && /^order-\d+$/.test(orderId),
  )?.orderId;
  const which = known === undefined ? `--wave ${wave}` : `--trace ${known}`;
  const replay = `npm run simulate -- --seed ${seed} ${which} --faults ${faults} --instances ${instances} --store ${store}`;
  return [`Seed ${seed}, wave ${wave} (${orders} orders) broke a rule:`, ...lines, `Again: ${replay}`].join(
    '\n',
  );
}
