import { startMs, type Times } from '../world/settings.ts';
import { createWorld, emptyResult, type RunResult } from '../world/world.ts';
import { createFixture, type Fixture, type FixtureOptions, orderId } from './fixture.ts';
import { createScheduler, type Deviation, type TakenStep } from './scheduler.ts';

/** A short sequence of events around one order. It is run many times, each time with a fault at another step. */
export type Scenario = FixtureOptions & {
  name: string;
  /** How long the service takes to confirm money. Default: 0. */
  confirmationSeconds?: number;
  run: (fixture: Fixture) => Promise<void>;
};

export type ScenarioResult = RunResult & { taken: readonly TakenStep[] };

/** Runs a scenario with these deviations, lets it settle, and checks the result. */
export async function runScenario(
  scenario: Scenario,
  options: { seed: number; deviations: readonly Deviation[]; isTraced?: boolean; rule?: string | undefined },
): Promise<ScenarioResult> {
  const result = emptyResult();
  const { seed, deviations, rule } = options;
  const tracedOrderId = options.isTraced ? orderId : undefined;
  const size = { wave: 0, orders: 1, faults: 0, instances: 1, store: 'memory' } as const;
  const world = createWorld({
    settings: { ...size, seed, tracedOrderId, rule },
    result,
    faults: () => 0,
    chooseTimes: () => timesOf(scenario),
  });
  const scheduler = createScheduler(world.clock, deviations);
  const { fixture, settle, end } = createFixture(scenario, world, scheduler);
  let isOver = false;
  const isDone = (): boolean => isOver || result.violations.length > 0;
  const script = (async () => {
    scheduler.setCounting(true);
    await scenario.run(fixture);
    scheduler.setCounting(false);
    await settle();
    isOver = true;
  })();
  await Promise.race([script, world.clock.runUntil(startMs + 6 * 3_600_000, isDone)]);
  if (!isDone()) world.violate('a scenario ends', orderId, 'something in it never returned');
  await end();
  return { ...result, taken: scheduler.taken };
}

const timesOf = ({ confirmationSeconds = 0 }: Scenario): Times => ({
  lateWatchSeconds: 3600,
  reversalWatchSeconds: 3600,
  leaseMs: 5000,
  confirmationSeconds,
  linkSeconds: 90,
  arrivalMs: 0,
  roundsEndMs: 0,
  faultsEndMs: 0,
  endMs: 0,
});
