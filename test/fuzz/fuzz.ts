import fc from 'fast-check';
import { it } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases the test has run. */
    cases?: number;
  }
}

/** The cases of each property. `npm run prove -- fuzz --runs N` sets it; `npm test` runs a slice. */
const runs = Number(process.env.FUZZ_RUNS ?? 50);

/** Of a case that normally takes microseconds to milliseconds: beyond this, it hangs. */
const hangMs = 30_000;

const cpuMs = (): number => process.cpuUsage().user / 1000;

export type FuzzOptions = {
  /** The part of the cases that a costly property runs. */
  share?: number;
};

/** Defines a test that checks an invariant over generated cases. The check throws where the case breaks it, or hangs. */
export function fuzz<Case>(
  name: string,
  cases: fc.Arbitrary<Case>,
  check: (one: Case) => void | Promise<void>,
  { share = 1 }: FuzzOptions = {},
): void {
  it(name, async ({ task }) => {
    const numRuns = Math.ceil(runs * share);
    const property = fc.asyncProperty(cases, async (one) => {
      const startedMs = cpuMs();
      await check(one);
      const tookMs = cpuMs() - startedMs;
      if (tookMs > hangMs) throw new Error(`The case took ${Math.round(tookMs)} ms of CPU time.`);
    });
    await fc.assert(property, { numRuns, timeout: 2 * hangMs });
    task.meta.cases = numRuns;
  });
}
