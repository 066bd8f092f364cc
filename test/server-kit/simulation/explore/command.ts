import type { ExplorationOptions } from '../options.ts';
import {
  chooseScenarios,
  exploreScenario,
  type Finding,
  readDeviations,
  writeDeviations,
} from './explore.ts';
import { runScenario } from './scenario.ts';

type Print = (text: string) => void;

/** Explores the scenarios, or repeats the one run that `at` names. Returns whether a rule was broken. */
export async function runExploration(options: ExplorationOptions, print: Print): Promise<boolean> {
  return options.at === undefined ? explore(options, print) : repeat(options, print);
}

async function explore({ seed, names, runs, rule }: ExplorationOptions, print: Print): Promise<boolean> {
  const startedMs = performance.now();
  let [totalRuns, isBroken] = [0, false];
  for (const scenario of chooseScenarios(names)) {
    const result = await exploreScenario(scenario, { seed, runs, rule });
    totalRuns += result.runs;
    print(
      `${scenario.name}: ${result.steps} steps, ${result.runs} runs, ${result.findings.length} rules broken`,
    );
    for (const finding of result.findings) print(describe(finding, seed));
    isBroken ||= result.findings.length > 0;
  }
  print(`${totalRuns} runs in ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`);
  if (!isBroken) print('No rule was broken.');
  return isBroken;
}

/** The broken rule, and the command that repeats the run. */
function describe({ scenario, deviations, steps, violation }: Finding, seed: number): string {
  const { rule, text } = violation;
  const at = writeDeviations(deviations) || 'plain';
  return [
    `  broken: ${rule}: ${text}`,
    `    with ${steps.join(', then ') || 'no fault'}`,
    `    repeat: npm run prove -- simulate --explore --seed ${seed} --scenario ${scenario} --at ${at}`,
  ].join('\n');
}

async function repeat({ seed, names, rule, at = '' }: ExplorationOptions, print: Print): Promise<boolean> {
  const deviations = at === 'plain' ? [] : readDeviations(at);
  const [scenario] = chooseScenarios(names);
  if (scenario === undefined || names.length !== 1) throw new Error('--at needs exactly one --scenario.');
  const { trace, violations, taken } = await runScenario(scenario, {
    seed,
    deviations,
    rule,
    isTraced: true,
  });
  print(taken.map(({ label, actions }, index) => `  ${index} ${label} (${actions.join(', ')})`).join('\n'));
  print(trace.join('\n'));
  for (const violation of violations) print(`  broken: ${violation.rule}: ${violation.text}`);
  return violations.length > 0;
}
