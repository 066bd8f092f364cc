/**
 * Runs one piece of work a key at a time. Whoever asks while it runs gets its result, success or failure; whoever
 * asks afterwards starts anew.
 */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const inFlight = new Map<string, Promise<T>>();
  return (key, work) => {
    const running = inFlight.get(key);
    if (running !== undefined) return running;
    // Started in a later turn, so that work which throws at once rejects like any other.
    const promise = Promise.resolve()
      .then(work)
      .finally(() => inFlight.delete(key));
    inFlight.set(key, promise);
    return promise;
  };
}
