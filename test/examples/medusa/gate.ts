/** Lets requests of the service pass, or holds the next one of a kind for good: the process that waits for it is killed. */
export function createGate() {
  let held: { path: RegExp; skip: number; arrived: () => void } | undefined;
  return {
    async pass(path: string): Promise<void> {
      if (held === undefined || !held.path.test(path) || held.skip-- > 0) return;
      held.arrived();
      await new Promise(() => {});
    },
    /** Holds every request to a path after the first `skip`, and resolves when the first of them has arrived. */
    hold: (path: RegExp, skip = 0): Promise<void> =>
      new Promise((resolve) => {
        held = { path, skip, arrived: resolve };
      }),
    open: () => {
      held = undefined;
    },
  };
}
