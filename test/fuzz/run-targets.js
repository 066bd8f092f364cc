import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Replaces code while it is loaded, so that no file changes. */
const plant = ({ file, from, to }) => ({
  name: 'plant-bug',
  enforce: 'pre',
  transform(code, id) {
    if (id !== root + file) return undefined;
    if (!code.includes(from)) throw new Error(`${file} has no longer: ${from}`);
    return code.replace(from, () => to);
  },
});

/** Prints each invariant with its cases as soon as it has been checked, and each counterexample. */
function createReporter(print, result) {
  return {
    onTestCaseResult(test) {
      const { state, errors = [] } = test.result();
      const { cases = 0 } = test.meta();
      const target = test.module.moduleId.replace(/.*\/(.*)\.test\.ts$/, '$1');
      const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
      result.cases += cases;
      result.invariants += 1;
      if (state === 'passed') return print(`${target}: ${test.fullName}: ${cases} cases, ${seconds} s`);
      result.broken += 1;
      print(`${target}: BROKEN: ${test.fullName}, after ${seconds} s`);
      for (const { message, cause } of errors) print(`${message}\n${cause?.message ?? ''}`);
    },
    onTestRunEnd(modules, errors) {
      const failed = [...modules.flatMap((module) => module.errors()), ...errors];
      result.otherFaults += failed.length;
      for (const { message } of failed) print(message);
    },
  };
}

/** Runs targets, and returns what was counted. `bug` is planted before. */
export async function runTargets(names, { runs, seed, print, bug }) {
  const result = { cases: 0, invariants: 0, broken: 0, otherFaults: 0 };
  const vitest = await startVitest(
    'test',
    names.map((name) => `test/fuzz/${name}.test.ts`),
    {
      root,
      config: false,
      watch: false,
      environment: 'node',
      include: ['test/fuzz/*.test.ts'],
      setupFiles: ['./test/setup/property-seed.ts'],
      env: { FUZZ_RUNS: String(runs), PROPERTY_SEED: String(seed) },
      reporters: [createReporter(print, result)],
      testTimeout: 24 * 3_600_000,
    },
    { resolve: { tsconfigPaths: true }, plugins: bug === undefined ? [] : [plant(bug)] },
  );
  await vitest.close();
  return result;
}
