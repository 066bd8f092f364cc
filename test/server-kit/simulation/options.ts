import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { StoreKind, WaveSettings } from './world/settings.ts';

/** How many orders a wave has. The name of an order says which wave it is in. */
const ordersPerWave = 200;

/** How many payments the service has after a wave, at the least: orders have more than one at times. */
const paymentsPerWave = 270;

export const help = `npm run simulate -- [options]

  --payments N    about how many payments, in waves of ${ordersPerWave} orders (default 3000)
  --seed N        the first seed (default 1)
  --seeds N       how many seeds, one after the other (default 1)
  --faults P      how probable each fault is, from 0 to 1 (default 0.2)
  --instances N   how many instances of the shop's server (default 3)
  --store NAME    memory, sqlite or postgres (TEST_POSTGRES_URL); default memory
  --shards N      how many processes share the work (default: one a core)
  --wave N        only this wave of the seed
  --trace ORDER   only the wave of this order, such as order-123, and its story
  --rule TEXT     check only the rules whose names contain this
  --explore       play short scenes of one order instead, with a mishap at each step: a kill, a lost
                  response, a call that fails, two calls in the other order; then with pairs of them
  --scene NAME    only this scene; may be repeated
  --runs N        how many plays of each scene at the most (default 400)
  --at STEPS      only this play, and its story: plain, 12:kill, 12:kill+30:lose
  --help          this text

The same options always give the same run, with memory and sqlite; it ends with 1 where a rule is broken.`;

export type ExplorationOptions = {
  seed: number;
  /** The scenes; all where none is named. */
  names: readonly string[];
  /** How many plays of each scene at the most. */
  runs: number;
  rule: string | undefined;
  /** What happens at which steps, for one play alone. */
  at: string | undefined;
};

export type SimulationOptions = {
  isHelp: boolean;
  /** Instead of waves. */
  exploration: ExplorationOptions | undefined;
  seeds: readonly number[];
  waves: readonly number[];
  shards: number;
  each: Omit<WaveSettings, 'seed' | 'wave'>;
};

const storeKinds: readonly string[] = ['memory', 'sqlite', 'postgres'] satisfies StoreKind[];

/** @throws {Error} for options that are unknown or wrong */
export function readOptions(args: readonly string[]): SimulationOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ payments: text, seed: text, seeds: text, faults: text, instances: text },
      ...{ store: text, shards: text, wave: text, trace: text, rule: text, help: { type: 'boolean' } },
      ...{ explore: { type: 'boolean' }, scene: { type: 'string', multiple: true }, runs: text, at: text },
    },
  });
  const number = (name: string, given: string | undefined, otherwise: number, most: number): number => {
    const value = given === undefined ? otherwise : Number(given);
    if (Number.isNaN(value) || value < 0 || value > most) throw new Error(`--${name} is from 0 to ${most}.`);
    return value;
  };
  const whole = (name: string, given: string | undefined, otherwise: number, most = 1e9): number =>
    Math.floor(number(name, given, otherwise, most));

  const { store = 'memory', trace } = values;
  if (!storeKinds.includes(store)) throw new Error(`--store is one of ${storeKinds.join(', ')}.`);
  const seed = whole('seed', values.seed, 1);
  const only = waveOf(trace) ?? (values.wave === undefined ? undefined : whole('wave', values.wave, 0));
  const waves = Math.ceil(whole('payments', values.payments, 3000) / paymentsPerWave);
  const { scene: names = [], rule, at } = values;
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
      trace,
      rule,
    },
  };
}

function waveOf(orderId: string | undefined): number | undefined {
  if (orderId === undefined) return undefined;
  const index = /^order-(\d+)$/.exec(orderId)?.[1];
  if (index === undefined) throw new Error('--trace is an order, such as order-123.');
  return Math.floor(Number(index) / ordersPerWave);
}
