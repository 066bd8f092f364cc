import { createRandom } from '../world/random.ts';
import type { Violation } from '../world/settings.ts';
import { runScenario, type Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import type { Action, Deviation, TakenStep } from './scheduler.ts';

export type ExploreOptions = {
  seed: number;
  /** The most runs of the scenario. If more are possible, the seed selects them. */
  runs: number;
  /** Checks only the rules whose names contain this. */
  rule?: string | undefined;
};

/** A broken rule, with the name of its scenario and the deviations of the run. */
export type Finding = {
  scenario: string;
  deviations: readonly Deviation[];
  steps: readonly string[];
  violation: Violation;
};

export type Exploration = { runs: number; steps: number; findings: readonly Finding[] };

/**
 * Returns the scenarios with these names, or all if there are none.
 *
 * @throws {Error} for an unknown name
 */
export function chooseScenarios(names: readonly string[]): readonly Scenario[] {
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown scenario ${unknown[0]}. Choose from ${scenarios.map(({ name }) => name).join(', ')}.`,
    );
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}

/**
 * Runs a scenario without deviations, then with each possible deviation at each step, then with pairs of them, for at most `runs`
 * runs. If there are more possibilities, the seed selects some. Reports each broken rule once, with the first run that broke it.
 */
export async function exploreScenario(
  scenario: Scenario,
  { seed, runs, rule }: ExploreOptions,
): Promise<Exploration> {
  const random = createRandom(`${seed}/${scenario.name}`);
  const findings = new Map<string, Finding>();
  let done = 0;
  const runWith = async (deviations: readonly Deviation[]): Promise<readonly TakenStep[]> => {
    done++;
    const { taken, violations } = await runScenario(scenario, { seed, deviations, rule });
    const steps = deviations.map(({ step, action }) => `${action} at "${taken[step]?.label}"`);
    for (const violation of violations)
      if (!findings.has(violation.rule))
        findings.set(violation.rule, { scenario: scenario.name, deviations, steps, violation });
    return taken;
  };

  const plain = await runWith([]);
  const pairs: Deviation[][] = [];
  for (const first of draw(random, deviationsFrom(plain, 0), runs - done)) {
    const taken = await runWith([first]);
    const seconds = deviationsFrom(taken, first.step + 1);
    if (seconds.length > 0) pairs.push([first, random.pick(seconds)]);
  }
  // The remaining runs repeat each deviation with another one after it.
  for (const pair of draw(random, pairs, runs - done)) await runWith(pair);
  return { runs: done, steps: plain.length, findings: [...findings.values()] };
}

const deviationsFrom = (taken: readonly TakenStep[], from: number): Deviation[] =>
  taken.flatMap(({ actions }, step) => (step < from ? [] : actions.map((action) => ({ step, action }))));

/** Selects at most this many at random, and keeps their order. */
function draw<T>(random: ReturnType<typeof createRandom>, all: readonly T[], most: number): readonly T[] {
  const ranked = all.map((one, index) => ({ one, index, rank: random.next() }));
  const kept = ranked.sort((left, right) => left.rank - right.rank).slice(0, Math.max(0, most));
  return kept.sort((left, right) => left.index - right.index).map(({ one }) => one);
}

const actions: readonly string[] = [
  ...(['kill', 'swap', 'last', 'hold', 'fail', 'lose', 'refuse', 'cut'] satisfies Action[]),
];

/**
 * Parses deviations such as `12:kill+30:lose`.
 *
 * @throws {Error} for any other text
 */
export function readDeviations(text: string): readonly Deviation[] {
  return text.split('+').map((part) => {
    const [step = '', action = ''] = part.split(':');
    if (!/^\d+$/.test(step) || !actions.includes(action))
      throw new Error(
        `--at takes step:action, such as 12:kill or 12:kill+30:lose. Actions: ${actions.join(', ')}.`,
      );
    return { step: Number(step), action: action as Action };
  });
}

export const writeDeviations = (deviations: readonly Deviation[]): string =>
  deviations.map(({ step, action }) => `${step}:${action}`).join('+');
