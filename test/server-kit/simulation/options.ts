import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { StoreKind, WaveSettings } from './world/settings.ts';

/** An order's number determines its wave. */
const ordersPerWave = 200;

/** A lower bound for the payments of a wave: some orders have more than one. */
const paymentsPerWave = 270;

export const help = `npm run prove -- simulate [options]

  --payments N    approximate number of payments, in waves of ${ordersPerWave} orders (default 3000)
  --seed N        first seed (default 1)
  --seeds N       number of consecutive seeds (default 1)
  --faults P      probability of each fault, from 0 to 0.5 (default 0.2)
  --instances N   number of instances of the shop's server (default 3)
  --store NAME    memory, sqlite or postgres (at TEST_POSTGRES_URL); default memory
  --shards N      number of worker processes (default: one per core)
  --wave N        run only this wave of each seed
  --trace ORDER   run only the wave of this order, such as order-123, and print its trace
  --rule TEXT     check only rules whose names contain this text
  --explore       run short scenarios of one order instead, with a fault at each step: a kill, a lost
                  response, a failed call, two calls in reverse order; then with pairs of faults
  --scenario NAME explore only this scenario; may be repeated
  --runs N        most runs of each scenario (default 400)
  --at STEPS      repeat one run and print its trace: plain, 12:kill, 12:kill+30:lose
  --help          print this text

With memory and sqlite, the same options always give the same run. The exit code is 1 if a rule is broken.`;

export type ExplorationOptions = {
  seed: number;
  /** The scenarios to run; empty for all. */
  names: readonly string[];
  /** The most runs of each scenario. */
  runs: number;
  rule: string | undefined;
  /** The deviations of a single run to repeat. */
  at: string | undefined;
};

export type SimulationOptions = {
  isHelp: boolean;
  /** If set, scenarios are explored instead of running waves. */
  exploration: ExplorationOptions | undefined;
  seeds: readonly number[];
  waves: readonly number[];
  shards: number;
  each: Omit<WaveSettings, 'seed' | 'wave'>;
};

const storeKinds: readonly string[] = ['memory', 'sqlite', 'postgres'] satisfies StoreKind[];

/** @throws {Error} for unknown or invalid options */
export function readOptions(args: readonly string[]): SimulationOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      payments: text,
      seed: text,
      seeds: text,
      faults: text,
      instances: text,
      store: text,
      shards: text,
      wave: text,
      trace: text,
      rule: text,
      help: { type: 'boolean' },
      explore: { type: 'boolean' },
      scenario: { type: 'string', multiple: true },
      runs: text,
      at: text,
    },
  });
  const number = (name: string, input: string | undefined, fallback: number, most: number): number => {
    const value = input === undefined ? fallback : Number(input);
    if (Number.isNaN(value) || value < 0 || value > most)
      throw new Error(`--${name} must be from 0 to ${most}.`);
    return value;
  };
  const whole = (name: string, input: string | undefined, fallback: number, most = 1e9): number =>
    Math.floor(number(name, input, fallback, most));

  const { store = 'memory', trace } = values;
  if (!storeKinds.includes(store)) throw new Error(`--store must be one of ${storeKinds.join(', ')}.`);
  const seed = whole('seed', values.seed, 1);
  const only = waveOf(trace) ?? (values.wave === undefined ? undefined : whole('wave', values.wave, 0));
  const waves = Math.ceil(whole('payments', values.payments, 3000) / paymentsPerWave);
  const { scenario: names = [], rule, at } = values;
  const runs = whole('runs', values.runs, 400);
  return {
    isHelp: values.help === true,
    exploration: values.explore ? { seed, names, runs, rule, at } : undefined,
    seeds: Array.from({ length: whole('seeds', values.seeds, 1) }, (_, index) => seed + index),
    waves: only === undefined ? Array.from({ length: waves }, (_, index) => index) : [only],
    shards: Math.max(1, whole('shards', values.shards, availableParallelism(), 64)),
    each: {
      orders: ordersPerWave,
      faults: number('faults', values.faults, 0.2, 0.5),
      instances: Math.max(1, whole('instances', values.instances, 3, 26)),
      store: store as StoreKind,
      tracedOrderId: trace,
      rule,
    },
  };
}

function waveOf(orderId: string | undefined): number | undefined {
  if (orderId === undefined) return undefined;
  const index = /^order-(\d+)$/.exec(orderId)?.[1];
  if (index === undefined) throw new Error('--trace takes an order, such as order-123.');
  return Math.floor(Number(index) / ordersPerWave);
}
