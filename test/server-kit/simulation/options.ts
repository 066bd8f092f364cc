import { parseArgs } from 'node:util';
import type { WaveSettings } from './world/world.ts';

const ordersPerWave = 200;

/** A lower bound for the payments of a wave: some orders have more than one. */
const paymentsPerWave = 270;

export const help = `npm run prove -- simulate [options]

  --payments N    approximate number of payments, in waves of ${ordersPerWave} orders (default 3000)
  --seed N        first seed (default 1)
  --seeds N       number of consecutive seeds (default 1)
  --faults P      probability of each fault, from 0 to 0.5 (default 0.2)
  --instances N   number of instances of the shop's server (default 3)
  --trace ORDER   run only the wave of this order, such as order-123, and print its trace
  --help          print this text

The same options always give the same run. The exit code is 1 if a rule is broken.`;

export type SimulationOptions = ReturnType<typeof readOptions>;

/** @throws {Error} for unknown or invalid options */
export function readOptions(args: readonly string[]) {
  const text = (fallback: number) => ({ type: 'string', default: `${fallback}` }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      payments: text(3000),
      seed: text(1),
      seeds: text(1),
      faults: text(0.2),
      instances: text(3),
      trace: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (name: keyof typeof values, least: number, most = 1e9): number => {
    const value = Number(values[name]);
    if (!(value >= least && value <= most)) throw new Error(`--${name} must be from ${least} to ${most}.`);
    return value;
  };
  const from = (first: number, length: number) => Array.from({ length }, (_, index) => first + index);
  const { trace, help: isHelp } = values;
  const each: Omit<WaveSettings, 'seed' | 'wave'> = {
    orders: ordersPerWave,
    faults: number('faults', 0, 0.5),
    instances: number('instances', 1, 26),
    tracedOrderId: trace,
  };
  const waves = from(0, Math.ceil(number('payments', 1) / paymentsPerWave));
  return {
    isHelp,
    seeds: from(number('seed', 0), number('seeds', 1)),
    waves: trace === undefined ? waves : [waveOf(trace)],
    each,
  };
}

function waveOf(orderId: string): number {
  const index = /^order-(\d+)$/.exec(orderId)?.[1];
  if (index === undefined) throw new Error('--trace takes an order, such as order-123.');
  return Math.floor(Number(index) / ordersPerWave);
}
