/**
 * Calls `load` once the browser has nothing else to do; never for readers who save data. Returns a function that takes the
 * call back.
 */
export function loadWhenIdle(load: () => void): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  // Safari has no idle callbacks.
  const [whenIdle, forget] = self.requestIdleCallback
    ? [self.requestIdleCallback, self.cancelIdleCallback]
    : [self.setTimeout, self.clearTimeout];
  const asked = whenIdle(load);
  return () => forget(asked);
}
