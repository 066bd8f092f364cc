import { createAlarm } from '../clock/alarm.ts';
import type { SandboxWorld } from './world.ts';

/** The background work of a sandbox: it records changes that time makes and delivers callbacks. */
export type Background = {
  /** Starts all due work and sets the timer for the next. */
  wake: () => void;
  /**
   * Resolves when each due callback was delivered or has failed, and all changes are stored. Rejects when the storage
   * fails.
   */
  settled: () => Promise<void>;
  close: () => Promise<void>;
};

export function startBackground({ settings, clock, journal, payments, callbacks }: SandboxWorld): Background {
  let isClosed = false;
  const alarm = createAlarm(clock, settings.wait, wake);

  function wake(): void {
    if (isClosed) return;
    payments.passTime();
    callbacks.deliverDue();
    alarm.set(Math.min(payments.nextDueMs(), callbacks.nextDueMs()));
  }

  journal.onWrite(wake);
  wake();
  return {
    wake,
    async settled() {
      wake();
      for (let current = callbacks.inProgress(); current.length > 0; current = callbacks.inProgress()) {
        await Promise.all(current);
        wake();
      }
      await journal.commit();
    },
    async close() {
      isClosed = true;
      alarm.clear();
      callbacks.close();
      await Promise.allSettled(callbacks.inProgress());
      await journal.commit();
    },
  };
}
