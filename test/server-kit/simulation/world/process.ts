import type { Wait } from '../../../../server-kit/async/wait.ts';
import type { Random } from './random.ts';
import type { World } from './settings.ts';

/**
 * A process of the merchant's server, from its start to its death. Everything that it does outside of itself goes through
 * `port`: from the moment of its death nothing of that begins, and nobody in it hears of what had begun.
 */
export type SimulatedProcess = {
  name: string;
  random: Random;
  isAlive: () => boolean;
  /** Its own clock, which may be wrong by minutes. */
  now: () => number;
  /** A wait that never ends for the dead, and ends late for those that stood still. */
  wait: Wait;
  /** Does something outside of the process. It may die, or stand still, before it and after it. */
  port: <T>(work: () => Promise<T>) => Promise<T>;
  /** Until when it stood still, or waited for a slow or broken store, last; 0 for never. */
  disturbedAtMs: () => number;
  /** For how long it has stood still, or waited for a slow store, in all. What is still to come of it counts. */
  heldMs: () => number;
  /** Notes that the store has kept it waiting, or has failed it. */
  disturb: (ms: number) => void;
  /** Resolves when it dies. */
  death: Promise<void>;
  kill: () => void;
};

/** One a wait: what waits for the same promise for ever is held by it for ever. */
const never = (): Promise<never> => new Promise(() => {});

export function createProcess(world: World, name: string, random: Random): SimulatedProcess {
  const { clock, count, faults } = world;
  const offsetMs = chooseOffset(random);
  let isAlive = true;
  let frozenUntilMs = 0;
  let onDeath = (): void => {};
  let [disturbedAtMs, heldMs] = [0, 0];
  const death = new Promise<void>((resolve) => {
    onDeath = resolve;
  });

  const kill = (): void => {
    if (!isAlive) return;
    isAlive = false;
    count('instances killed');
    onDeath();
  };

  const disturb = (ms: number): void => {
    heldMs += ms;
    disturbedAtMs = Math.max(disturbedAtMs, clock.now() + ms);
  };

  /** As a virtual machine that is moved, or a process that collects garbage for very long. */
  const freeze = (): void => {
    count('instances stood still');
    const ms = random.between(500, 40_000);
    frozenUntilMs = clock.now() + ms;
    disturb(ms);
  };

  const gate = async (): Promise<void> => {
    if (faults() > 0) {
      // Per port and not per second: whatever it was doing, it can end there.
      const fate = random.next() / faults();
      if (fate < 0.01) kill();
      else if (fate < 0.02) freeze();
    }
    while (isAlive && frozenUntilMs > clock.now()) await clock.wait(frozenUntilMs - clock.now());
    if (!isAlive) await never();
  };

  return {
    name,
    random,
    isAlive: () => isAlive,
    now: () => clock.now() + offsetMs,
    async wait(ms, signal) {
      await clock.wait(ms, signal);
      while (isAlive && frozenUntilMs > clock.now()) await clock.wait(frozenUntilMs - clock.now(), signal);
      if (!isAlive) await never();
    },
    async port(work) {
      await gate();
      const done = await work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      await gate();
      if ('error' in done) throw done.error;
      return done.value;
    },
    disturbedAtMs: () => disturbedAtMs,
    heldMs: () => heldMs,
    disturb,
    death,
    kill,
  };
}

/** Most machines keep their time to a second; some are wrong by minutes, and some by more than signatures allow. */
function chooseOffset(random: Random): number {
  const most = random.pick([0, 1000, 60_000, 240_000, 1_200_000]);
  return Math.round(random.between(-most, most));
}
