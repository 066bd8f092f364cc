import { abortAfter, joinSignals, type Wait } from '../async/wait.ts';
import { isTransient, PaymentsError } from '../errors/payments-error.ts';

export type HedgeOptions = {
  wait: Wait;
  /** How long a request may be silent before the next one is sent beside it, in milliseconds. */
  afterMs: number;
  /**
   * How long the others may still take once the service has said that it knows the reference, in milliseconds; `null`: up to
   * the deadline.
   */
  graceMs: number | null;
  /** Aborts when nobody waits any more. */
  deadline: AbortSignal;
};

type Ended<T> = { id: number } & ({ result: T } | { error: unknown });

/**
 * Sends a request that its reference makes safe to repeat, and again, beside the first, each time the service is silent for
 * a while. Gives the first result. So a lost response costs seconds, and a service that is only slow is still waited for.
 *
 * @throws what `send` throws: at once what repeating cannot mend, and otherwise when no other request is under way
 */
export async function hedge<T>(
  send: (signal: AbortSignal) => Promise<T>,
  { wait, afterMs, graceMs, deadline }: HedgeOptions,
): Promise<T> {
  const decided = new AbortController();
  const { signal, release } = joinSignals(deadline, decided.signal);
  const underWay = new Map<number, Promise<Ended<T>>>();
  const start = (id: number): void => {
    const succeeded = (result: T): Ended<T> => ({ id, result });
    const failed = (error: unknown): Ended<T> => ({ id, error });
    underWay.set(id, send(signal).then(succeeded, failed));
  };
  let exists: PaymentsError | undefined;
  try {
    start(0);
    for (let sent = 1; ; ) {
      const ended = await firstWithin(wait, exists === undefined ? afterMs : graceMs, underWay);
      if (ended === undefined) {
        if (exists !== undefined) throw exists;
        start(sent++);
      } else {
        if ('result' in ended) return ended.result;
        const { id, error } = ended;
        underWay.delete(id);
        if (!(error instanceof PaymentsError)) throw error;
        if (error.code === 'reference_exists') exists = error;
        else if (!isTransient(error)) throw error;
        if (underWay.size === 0) throw exists ?? error;
      }
    }
  } finally {
    decided.abort();
    release();
  }
}

/** The first that ends within the time; `undefined` when none does. */
async function firstWithin<T>(
  wait: Wait,
  ms: number | null,
  underWay: ReadonlyMap<number, Promise<T>>,
): Promise<T | undefined> {
  if (ms === null) return Promise.race(underWay.values());
  const { signal, cancel } = abortAfter(wait, ms);
  const over = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    return await Promise.race([...underWay.values(), over]);
  } finally {
    cancel();
  }
}
