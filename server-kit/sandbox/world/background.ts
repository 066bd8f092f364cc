import { createAlarm } from '../clock/alarm.ts';
import type { SandboxWorld } from './world.ts';

/** What a sandbox does besides answering: it tells of what time has brought, and delivers callbacks. */
export type Background = {
  /** Starts what is due, and sets the timer for what will be. */
  wake: () => void;
  /**
   * Resolves when everything that is due is delivered, or has failed for now, and all of it is kept. Rejects when it
   * cannot be kept.
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
      for (let current = callbacks.underWay(); current.length > 0; current = callbacks.underWay()) {
        await Promise.all(current);
        wake();
      }
      await journal.commit();
    },
    async close() {
      isClosed = true;
      alarm.clear();
      callbacks.close();
      await Promise.allSettled(callbacks.underWay());
      await journal.commit();
    },
  };
}
