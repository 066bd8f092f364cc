/** Calls `callback` once the browser is idle; never when the reader saves data. Returns a function that cancels the call. */
export function whenIdle(callback: () => void): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  // Safari has no idle callbacks.
  const [request, cancel] = self.requestIdleCallback
    ? [self.requestIdleCallback, self.cancelIdleCallback]
    : [self.setTimeout, self.clearTimeout];
  const id = request(callback);
  return () => cancel(id);
}
