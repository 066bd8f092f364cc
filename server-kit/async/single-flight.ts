/** Runs at most one operation per key at a time. */
export type SingleFlight<T> = {
  /**
   * Starts `work`, or joins the operation in flight for this key and shares its result. Callers after it has settled start
   * a new one.
   */
  share: (key: string, work: () => Promise<T>) => Promise<T>;
  /** Resolves when no operation is in flight for this key. Never rejects. */
  untilIdle: (key: string) => Promise<void>;
};

export function createSingleFlight<T>(): SingleFlight<T> {
  const inFlight = new Map<string, Promise<T>>();
  return {
    share(key, work) {
      const running = inFlight.get(key);
      if (running !== undefined) return running;
      // Started asynchronously, so that work that throws synchronously also rejects.
      const promise = Promise.resolve()
        .then(work)
        .finally(() => inFlight.delete(key));
      inFlight.set(key, promise);
      return promise;
    },
    async untilIdle(key) {
      await inFlight.get(key)?.catch(() => {});
    },
  };
}
