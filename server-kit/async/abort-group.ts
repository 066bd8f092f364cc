/** Work that can be aborted together, each piece of it by a signal of its own. */
export type AbortGroup = {
  /** Runs `work`, whose signal aborts with the group: at once if it already has. */
  run: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Aborts the signals of all work that runs or will run. */
  abort: (reason: Error) => void;
};

/** Creates a group without work. One signal for all would not do: Node.js warns of a leak from eleven listeners on. */
export function createAbortGroup(): AbortGroup {
  const running = new Set<AbortController>();
  let aborted: Error | undefined;
  return {
    async run(work) {
      const own = new AbortController();
      if (aborted !== undefined) own.abort(aborted);
      running.add(own);
      try {
        return await work(own.signal);
      } finally {
        running.delete(own);
      }
    },
    abort(reason) {
      aborted = reason;
      for (const own of running) own.abort(reason);
    },
  };
}
