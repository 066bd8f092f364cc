/** Runs one piece of work a key at a time. */
export type SingleFlight<T> = {
  /**
   * Starts `work`, or joins the work that runs for this key. Whoever joins gets its result, success or failure;
   * whoever comes afterwards starts anew.
   */
  share: (key: string, work: () => Promise<T>) => Promise<T>;
  /** Resolves when nothing runs for this key; at once when nothing does. Never rejects. */
  untilIdle: (key: string) => Promise<void>;
};

export function createSingleFlight<T>(): SingleFlight<T> {
  const inFlight = new Map<string, Promise<T>>();
  return {
    share(key, work) {
      const running = inFlight.get(key);
      if (running !== undefined) return running;
      // Started in a later turn, so that work which throws at once rejects like any other.
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
