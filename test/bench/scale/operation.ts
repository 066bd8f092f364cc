import type { Cost, RecordedStatement, Recorder } from './recorder.ts';

export type Operation = {
  name: string;
  times?: number;
  /** What is not measured, before each time. */
  prepare?: () => Promise<unknown>;
  /** Returns what it has done, in words. */
  run: (index: number) => Promise<string>;
};

/** An operation that was measured, perhaps several times: the mean of its costs. */
export type Measured = {
  name: string;
  /** What it has done or found, in words. */
  result: string;
  cost: Cost;
  /** Of the last time. */
  statements: readonly RecordedStatement[];
};

/** Measures an operation, each time with the state that the last one has left. */
export async function measureOne(recorder: Recorder, operation: Operation): Promise<Measured> {
  const { name, times = 1, prepare } = operation;
  const costs: Cost[] = [];
  let result = '';
  let statements: readonly RecordedStatement[] = [];
  for (let index = 0; index < times; index++) {
    await prepare?.();
    const recorded = await recorder.record(async () => {
      result = await operation.run(index);
    });
    costs.push(recorded.cost);
    ({ statements } = recorded);
  }
  return { name, result, cost: meanOf(costs), statements };
}

function meanOf(costs: readonly Cost[]): Cost {
  const mean = (field: keyof Cost): number =>
    costs.reduce((sum, cost) => sum + cost[field], 0) / costs.length;
  return {
    statements: mean('statements'),
    roundTrips: mean('roundTrips'),
    transactions: mean('transactions'),
    buffers: mean('buffers'),
    updates: mean('updates'),
    hotUpdates: mean('hotUpdates'),
    walBytes: mean('walBytes'),
  };
}
