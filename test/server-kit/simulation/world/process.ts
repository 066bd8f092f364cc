import { createGate } from '../../kit/gate.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A new promise for each wait: a shared one would keep all its waiters in memory. */
const never = (): Promise<never> => new Promise(() => {});

export type SimulatedProcess = ReturnType<typeof createProcess>;

/**
 * Creates a process of the merchant's server, until it is killed. All its I/O goes through `port`: a killed process starts no more I/O
 * and never sees the results of what it had started.
 */
export function createProcess(world: World, name: string, random: Random) {
  const { clock, count, faults } = world;
  const offsetMs = chooseOffset(random);
  const { open: die, opened: death } = createGate();
  let hasDied = false;
  const isAlive = (): boolean => !hasDied;
  const kill = (): void => {
    if (hasDied) return;
    hasDied = true;
    count('instances killed');
    die();
  };
  let frozenUntilMs = 0;
  let [disturbedUntilMs, stalledMs] = [0, 0];

  /** Records that the store delayed it by this much, or failed. */
  const disturb = (ms: number): void => {
    stalledMs += ms;
    disturbedUntilMs = Math.max(disturbedUntilMs, clock.now() + ms);
  };

  /** Simulates a virtual machine that is being migrated, or a very long garbage collection. */
  const freeze = (): void => {
    count('instances frozen');
    const ms = random.between(500, 40_000);
    frozenUntilMs = clock.now() + ms;
    disturb(ms);
  };

  const gate = async (): Promise<void> => {
    if (faults() > 0) {
      // Per I/O rather than per second, so that every operation can be interrupted.
      const fate = random.next() / faults();
      if (fate < 0.01) kill();
      else if (fate < 0.02) freeze();
    }
    while (isAlive() && frozenUntilMs > clock.now()) await clock.wait(frozenUntilMs - clock.now());
    if (!isAlive()) await never();
  };

  return {
    name,
    random,
    isAlive,
    /** The process's own clock, which may be wrong by minutes. */
    now: () => clock.now() + offsetMs,
    /** Ends late if the process is frozen, and never if it is killed. */
    async wait(ms: number, signal?: AbortSignal): Promise<void> {
      await clock.wait(ms, signal);
      while (isAlive() && frozenUntilMs > clock.now()) await clock.wait(frozenUntilMs - clock.now(), signal);
      if (!isAlive()) await never();
    },
    /** Performs I/O. The process may be killed or frozen before and after it. */
    async port<T>(work: () => Promise<T>): Promise<T> {
      await gate();
      const done = await work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      await gate();
      if ('error' in done) throw done.error;
      return done.value;
    },
    /** When its last freeze or delay by the store ends or ended, in milliseconds since the epoch; 0 for never. */
    disturbedUntilMs: () => disturbedUntilMs,
    /** The total length of its freezes and delays by the store, including the rest of a current one. */
    stalledMs: () => stalledMs,
    disturb,
    death,
    kill,
  };
}

/** Some clocks are right to a second; others are wrong by minutes, or by more than the tolerance of signatures. */
function chooseOffset(random: Random): number {
  const most = random.pick([0, 1000, 60_000, 240_000, 1_200_000]);
  return Math.round(random.between(-most, most));
}
