import type { ExplorationOptions } from '../options.ts';
import { chooseScenes, exploreScene, type Finding, readDeviations, writeDeviations } from './explore.ts';
import { playScene } from './stage.ts';

type Print = (text: string) => void;

/** Plays the scenes, or one play of one again. Gives whether a rule was broken. */
export async function runExploration(options: ExplorationOptions, print: Print): Promise<boolean> {
  return options.at === undefined ? explore(options, print) : playAgain(options, print);
}

async function explore({ seed, names, runs, rule }: ExplorationOptions, print: Print): Promise<boolean> {
  const startedMs = performance.now();
  let [played, isBroken] = [0, false];
  for (const scene of chooseScenes(names)) {
    const { findings, steps, runs: own } = await exploreScene(scene, { seed, runs, rule });
    played += own;
    print(`${scene.name}: ${steps} steps, ${own} plays, ${findings.length} rules broken`);
    for (const finding of findings) print(describe(finding, seed));
    isBroken ||= findings.length > 0;
  }
  print(`${played} plays in ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`);
  if (!isBroken) print('No rule was broken.');
  return isBroken;
}

/** What was broken, and how to see it again. */
export function describe({ scene, deviations, steps, violation }: Finding, seed: number): string {
  const { rule, text } = violation;
  const at = writeDeviations(deviations) || 'plain';
  return [
    `  broken: ${rule}: ${text}`,
    `    with ${steps.join(', then ') || 'no mishap'}`,
    `    again: npm run simulate -- --explore --seed ${seed} --scene ${scene} --at ${at}`,
  ].join('\n');
}

async function playAgain({ seed, names, rule, at = '' }: ExplorationOptions, print: Print): Promise<boolean> {
  const deviations = at === 'plain' ? [] : readDeviations(at);
  const [scene] = chooseScenes(names);
  if (scene === undefined || names.length !== 1) throw new Error('--at needs one --scene.');
  const { story, violations, taken } = await playScene(scene, { seed, deviations, rule, trace: true });
  print(taken.map(({ label, actions }, index) => `  ${index} ${label} (${actions.join(', ')})`).join('\n'));
  print(story.join('\n'));
  for (const violation of violations) print(`  broken: ${violation.rule}: ${violation.text}`);
  return violations.length > 0;
}
