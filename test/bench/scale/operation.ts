import type { Cost, Recorder } from './recorder.ts';

export type Operation = {
  name: string;
  times?: number;
  /** What is not measured, before each time. */
  prepare?: () => Promise<unknown>;
  /** Returns what it has done, in words. */
  run: (index: number) => Promise<string>;
};

/** An operation that was measured, perhaps several times: its last result, and the mean of its costs. */
export type Measured = { name: string; result: string; cost: Cost };

/** Measures an operation, each time with the state that the last one has left. */
export async function measureOne(recorder: Recorder, { name, times = 1, prepare, run }: Operation) {
  const costs: Cost[] = [];
  let result = '';
  for (let index = 0; index < times; index++) {
    await prepare?.();
    const record = async () => {
      result = await run(index);
    };
    costs.push(await recorder.record(record));
  }
  const meanOf = (field: keyof Cost): number => costs.reduce((sum, cost) => sum + cost[field], 0) / times;
  const fields = Object.keys(costs[0] ?? {}) as (keyof Cost)[];
  return { name, result, cost: Object.fromEntries(fields.map((field) => [field, meanOf(field)])) as Cost };
}
