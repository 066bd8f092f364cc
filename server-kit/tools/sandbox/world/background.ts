import type { SandboxWorld } from './create-world.ts';

/** The longest wait of a timer. */
const maxWaitMs = 2 ** 31 - 1;

/** How many consecutive waits may end early, such as a test's waits that take no time. */
const maxEarlyWaits = 3;

/** Starts the background work of a sandbox: it records changes that time makes and delivers callbacks. */
export function startBackground({ settings, clock, writer, payments, callbacks }: SandboxWorld) {
  let isClosed = false;
  let waiting = new AbortController();
  let earlyWaits = 0;

  function wake(): void {
    waiting.abort();
    if (isClosed) return;
    payments.passTime();
    callbacks.deliverDue();
    waitUntil(Math.min(payments.nextDueMs(), callbacks.nextDueMs()));
  }

  /** Wakes at a time on the sandbox's clock; earlier for one beyond a timer's longest wait. A frozen clock never gets there. */
  function waitUntil(dueMs: number): void {
    if (clock.isFrozen() || dueMs === Number.POSITIVE_INFINITY) return;
    waiting = new AbortController();
    const setMs = clock.now();
    const waitMs = Math.min(Math.max(dueMs - setMs, 1), maxWaitMs);
    const onTime = (): void => {
      earlyWaits = clock.now() - setMs < waitMs / 2 ? earlyWaits + 1 : 0;
      if (earlyWaits <= maxEarlyWaits) wake();
    };
    // Rejects only when it is aborted. It does not keep the process alive.
    settings.wait(waitMs, waiting.signal, true).then(onTime, () => {});
  }

  writer.onWrite(wake);
  wake();
  return {
    /** Starts all due work and sets the timer for the next. */
    wake,
    /** Resolves when each due callback was delivered or has failed, and all changes are stored. Rejects when the storage fails. */
    async settled(): Promise<void> {
      wake();
      for (let current = callbacks.inProgress(); current.length > 0; current = callbacks.inProgress()) {
        await Promise.all(current);
        wake();
      }
      await writer.commit();
    },
    async close(): Promise<void> {
      isClosed = true;
      waiting.abort();
      callbacks.close();
      await Promise.allSettled(callbacks.inProgress());
      await writer.commit();
    },
  };
}
