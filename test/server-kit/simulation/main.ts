import { help, readOptions, type SimulationOptions } from './options.ts';
import { runWave } from './wave.ts';
import { type RunResult, startMs, type WaveSettings } from './world/world.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

function describeFailure(settings: WaveSettings, violations: RunResult['violations']): string {
  const { seed, wave, faults, instances, orders } = settings;
  const lines = violations.slice(0, 5).map(({ rule, orderId, text, atMs }) => {
    const hours = ((atMs - startMs) / 3_600_000).toFixed(3);
    return `  broken: ${rule} (${orderId ?? 'no order'}, after ${hours} h): ${text}`;
  });
  const known = violations.find(({ orderId }) => /^order-\d+$/.test(orderId ?? ''))?.orderId;
  const traced = known ?? `order-${wave * orders}`;
  const replay = `npm run prove -- simulate --seed ${seed} --trace ${traced} --faults ${faults} --instances ${instances}`;
  return [`Seed ${seed}, wave ${wave} broke a rule:`, ...lines, `Repeat: ${replay}`].join('\n');
}

async function simulate({ seeds, waves, each }: SimulationOptions): Promise<boolean> {
  const startedMs = performance.now();
  const totals = new Map<string, number>();
  for (const seed of seeds) {
    for (const wave of waves) {
      const settings = { ...each, seed, wave };
      const { counts, violations, trace } = await runWave(settings);
      for (const line of trace) print(line);
      if (violations.length > 0) {
        print(describeFailure(settings, violations));
        return false;
      }
      for (const [name, count] of Object.entries(counts)) totals.set(name, (totals.get(name) ?? 0) + count);
    }
    const payments = totals.get('payments at the service');
    print(`seed ${seed}: ${payments} payments, ${Math.round((performance.now() - startedMs) / 1000)} s`);
  }
  for (const name of [...totals.keys()].sort())
    print(`  ${name.padEnd(46)}${String(Math.round(totals.get(name) ?? 0)).padStart(12)}`);
  print('No rule was broken.');
  return true;
}

Error.stackTraceLimit = 0;
const options = readOptions(process.argv.slice(2));
if (options.isHelp) print(help);
else process.exitCode = (await simulate(options)) ? 0 : 1;
