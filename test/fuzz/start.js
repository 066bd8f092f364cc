import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { plantedBugs } from './planted.js';
import { runTargets } from './run-targets.js';

const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)));
const targets = files.flatMap((file) => /^([^.]*)\.test\.ts$/.exec(file)?.[1] ?? []);

const help = `npm run prove -- fuzz [options] [target …]

Checks invariants over generated input: hostile texts, damaged records, raw bytes, and events in any order.
Targets: ${targets.join(', ')}. Without one: all.

  --runs N      cases of each invariant (default 2000; costly ones run a part of them)
  --seed S      the same cases again (default: random)
  --planted     puts each of ${plantedBugs.length} known bugs into the code in its turn, and checks that its target finds it
  --help        print this text

Prints each invariant when it has been checked. For a broken one it prints a small counterexample, and the exit code is 1.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(randomInt(1, 2 ** 31 - 1)) },
    planted: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { runs, seed } = values;
const print = (text) => void process.stdout.write(`${text}\n`);

async function fuzz(names) {
  print(`Seed ${seed}.`);
  const { cases, invariants, broken, otherFaults } = await runTargets(names, { runs, seed, print });
  print(`${cases} cases of ${invariants} invariants: ${broken} broken, ${otherFaults} other faults.`);
  return invariants > 0 && broken + otherFaults === 0;
}

/** Runs the target of each planted bug, which has to break an invariant. */
async function findPlanted(names) {
  const bugs = plantedBugs.filter(({ target }) => names.includes(target));
  let found = 0;
  for (const bug of bugs) {
    const lines = [];
    const { broken, otherFaults } = await runTargets([bug.target], {
      runs,
      seed,
      bug,
      print: (text) => lines.push(text),
    });
    const isFound = broken > 0 && otherFaults === 0;
    print(`${isFound ? 'found' : 'MISSED'}: ${bug.target}: ${bug.bug}`);
    if (isFound) found++;
    else print(lines.join('\n'));
  }
  print(`${found} of ${bugs.length} planted bugs found, with seed ${seed}.`);
  return found === bugs.length;
}

const names = positionals.length === 0 ? targets : positionals;
const unknown = names.filter((name) => !targets.includes(name));
if (values.help) {
  print(help);
} else if (unknown.length > 0) {
  print(`Unknown target ${unknown.join(', ')}. Available: ${targets.join(', ')}.`);
  process.exitCode = 1;
} else {
  // Vitest sets it for the planted bugs, too.
  process.exitCode = (await (values.planted ? findPlanted : fuzz)(names)) ? 0 : 1;
}
