import { fileURLToPath } from 'node:url';
import { runExploration } from './explore/command.ts';
import { help, readOptions, type SimulationOptions } from './options.ts';
import { addToTotals, createTotals, describeFailure, describeTotals } from './report.ts';
import { runInShards, serveAsShard } from './shards.ts';
import { runWave, type WaveResult } from './wave.ts';
import type { WaveSettings } from './world/settings.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs all waves until one breaks a rule; returns the settings of that wave. */
async function simulate({
  seeds,
  waves,
  shards,
  each,
}: SimulationOptions): Promise<WaveSettings | undefined> {
  const all = seeds.flatMap((seed) => waves.map((wave) => ({ ...each, seed, wave })));
  const startedMs = performance.now();
  const totals = createTotals();
  let failed: WaveSettings | undefined;
  let printedMs = startedMs;
  const seconds = (): string => `${((performance.now() - startedMs) / 1000).toFixed(0)} s`;

  const onResult = (settings: WaveSettings, result: WaveResult): boolean => {
    addToTotals(totals, result);
    if (result.trace.length > 0) print(result.trace.join('\n'));
    if (result.violations.length > 0) {
      failed ??= settings;
      print(describeFailure(settings, result.violations));
    } else if (performance.now() - printedMs > 10_000) {
      printedMs = performance.now();
      const payments = totals.counts['payments at the service'] ?? 0;
      print(
        `seed ${settings.seed}: ${totals.waves} of ${all.length} waves, ${payments} payments, ${seconds()}`,
      );
    }
    return failed === undefined;
  };
  await runInShards(fileURLToPath(import.meta.url), shards, all, onResult);
  print(describeTotals(totals));
  if (failed === undefined) {
    const payments = totals.counts['payments at the service'];
    print(
      `No rule was broken: ${seeds.length} seeds, ${totals.waves} waves, ${payments} payments, ${seconds()}.`,
    );
  }
  return failed;
}

/** Repeats a failed wave to trace the order that broke a rule. */
async function printTrace(settings: WaveSettings): Promise<void> {
  const { violations } = await runWave(settings);
  const [tracedOrderId] = violations.flatMap(({ orderId }) => orderId ?? []);
  if (tracedOrderId === undefined) return;
  const { trace } = await runWave({ ...settings, tracedOrderId });
  print([`Trace of ${tracedOrderId}:`, ...trace.slice(-120)].join('\n'));
}

Error.stackTraceLimit = 0;
if (process.argv.includes('--shard')) {
  serveAsShard(runWave);
} else {
  const options = readOptions(process.argv.slice(2));
  if (options.isHelp) {
    print(help);
  } else if (options.exploration !== undefined) {
    process.exitCode = (await runExploration(options.exploration, print)) ? 1 : 0;
  } else {
    const failed = await simulate(options);
    if (failed !== undefined && failed.tracedOrderId === undefined) await printTrace(failed);
    process.exitCode = failed === undefined ? 0 : 1;
  }
}
