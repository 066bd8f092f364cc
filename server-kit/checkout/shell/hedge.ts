import { joinSignals, resolveWithin, type Wait } from '../../client/async/wait.ts';
import { isTransient, PaymentsError } from '../../client/errors/payments-error.ts';

export type HedgeOptions = {
  wait: Wait;
  /** After how much silence the next request is sent beside the others, in milliseconds. */
  afterMs: number;
  /**
   * How long the other requests may take after the service has said that it knows the reference, in milliseconds; `null`:
   * until the deadline.
   */
  graceMs: number | null;
  deadline: AbortSignal;
};

type Ended<T> = { id: number } & ({ result: T } | { error: unknown });

/**
 * Sends a request that its reference makes safe to repeat, sends another beside it after each period of silence, and returns
 * the first result. A lost response costs only seconds, and a slow service is still waited for.
 *
 * @throws what `send` throws: at once if repeating cannot help, otherwise when no other request is under way
 */
export async function hedge<T>(
  send: (signal: AbortSignal) => Promise<T>,
  { wait, afterMs, graceMs, deadline }: HedgeOptions,
): Promise<T> {
  const { signal, end } = joinSignals(deadline);
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
      const first = Promise.race(underWay.values());
      const silenceMs = exists === undefined ? afterMs : graceMs;
      const ended = await (silenceMs === null ? first : resolveWithin(wait, silenceMs, first));
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
    end();
  }
}
