import { createRandom } from '../world/random.ts';
import type { Violation } from '../world/settings.ts';
import { scenes } from './scenes.ts';
import type { Action, Deviation, TakenStep } from './scheduler.ts';
import type { Scene } from './stage.ts';
import { playScene } from './stage.ts';

export type ExploreOptions = {
  seed: number;
  /** How many plays of the scene at the most; which of them is drawn by the seed. */
  runs: number;
  /** Part of the name of a rule: the others may be broken. */
  rule?: string | undefined;
};

/** A play that broke a rule, and what happened in it. */
export type Finding = {
  scene: string;
  deviations: readonly Deviation[];
  steps: readonly string[];
  violation: Violation;
};

export type Exploration = { runs: number; steps: number; findings: readonly Finding[] };

/** @throws {Error} for a name that no scene has */
export function chooseScenes(names: readonly string[]): readonly Scene[] {
  const unknown = names.filter((name) => !scenes.some((scene) => scene.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no scene ${unknown[0]}; there are ${scenes.map(({ name }) => name).join(', ')}.`,
    );
  return names.length === 0 ? scenes : scenes.filter(({ name }) => names.includes(name));
}

/**
 * Plays a scene as it is, then with each single mishap at each step, then with pairs of them, as far as `runs` allows. Where
 * not all fit, the seed draws some. Each rule is reported once: by its first play.
 */
export async function exploreScene(scene: Scene, { seed, runs, rule }: ExploreOptions): Promise<Exploration> {
  const random = createRandom(`${seed}/${scene.name}`);
  const findings = new Map<string, Finding>();
  let played = 0;
  const play = async (deviations: readonly Deviation[]): Promise<readonly TakenStep[]> => {
    played++;
    const { taken, violations } = await playScene(scene, { seed, deviations, rule });
    const steps = deviations.map(({ step, action }) => `${action} at "${taken[step]?.label}"`);
    for (const violation of violations)
      if (!findings.has(violation.rule))
        findings.set(violation.rule, { scene: scene.name, deviations, steps, violation });
    return taken;
  };

  const plain = await play([]);
  const pairs: Deviation[][] = [];
  for (const first of draw(random, deviationsFrom(plain, 0), runs - played)) {
    const taken = await play([first]);
    const seconds = deviationsFrom(taken, first.step + 1);
    if (seconds.length > 0) pairs.push([first, random.pick(seconds)]);
  }
  // Each mishap again, with others after it, for as long as there are plays left.
  for (const pair of draw(random, pairs, runs - played)) await play(pair);
  return { runs: played, steps: plain.length, findings: [...findings.values()] };
}

const deviationsFrom = (taken: readonly TakenStep[], from: number): Deviation[] =>
  taken.flatMap(({ actions }, step) => (step < from ? [] : actions.map((action) => ({ step, action }))));

/** As many as that, in their order. */
function draw<T>(random: ReturnType<typeof createRandom>, all: readonly T[], most: number): readonly T[] {
  const ranked = all.map((one, index) => ({ one, index, rank: random.next() }));
  const kept = ranked.sort((left, right) => left.rank - right.rank).slice(0, Math.max(0, most));
  return kept.sort((left, right) => left.index - right.index).map(({ one }) => one);
}

const actions: readonly string[] = [
  ...(['kill', 'swap', 'last', 'hold', 'fail', 'lose', 'refuse', 'cut'] satisfies Action[]),
];

/** Reads `12:kill+30:lose`. @throws {Error} for any other text */
export function readDeviations(text: string): readonly Deviation[] {
  return text.split('+').map((part) => {
    const [step = '', action = ''] = part.split(':');
    if (!/^\d+$/.test(step) || !actions.includes(action))
      throw new Error(`--at is a step and one of ${actions.join(', ')}: 12:kill, or 12:kill+30:lose.`);
    return { step: Number(step), action: action as Action };
  });
}

export const writeDeviations = (deviations: readonly Deviation[]): string =>
  deviations.map(({ step, action }) => `${step}:${action}`).join('+');
