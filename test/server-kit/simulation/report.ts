import type { WaveResult } from './wave.ts';
import { startMs, type Violation, type WaveSettings } from './world/settings.ts';

/** The sums of all waves. */
export type Totals = { waves: number; counts: Record<string, number>; peaks: Record<string, number> };

export const createTotals = (): Totals => ({ waves: 0, counts: {}, peaks: {} });

export function addToTotals(totals: Totals, { counts, peaks }: WaveResult): void {
  totals.waves++;
  for (const [name, count] of Object.entries(counts))
    totals.counts[name] = (totals.counts[name] ?? 0) + count;
  for (const [name, peak] of Object.entries(peaks))
    totals.peaks[name] = Math.max(totals.peaks[name] ?? 0, peak);
}

/** Returns a line for each count and peak, sorted by name. */
export function describeTotals({ counts, peaks }: Totals): string {
  const rows = [
    ...Object.entries(counts).map(([name, count]) => [name, Math.round(count)] as const),
    ...Object.entries(peaks).map(([name, peak]) => [`most ${name}`, peak] as const),
  ].sort(([left], [right]) => (left < right ? -1 : 1));
  return rows.map(([name, count]) => `  ${name.padEnd(46)}${String(count).padStart(12)}`).join('\n');
}

/** Returns the broken rules, and the command that repeats the failure. */
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
  const replay = `npm run prove -- simulate --seed ${seed} ${which} --faults ${faults} --instances ${instances} --store ${store}`;
  return [`Seed ${seed}, wave ${wave} (${orders} orders) broke a rule:`, ...lines, `Repeat: ${replay}`].join(
    '\n',
  );
}
