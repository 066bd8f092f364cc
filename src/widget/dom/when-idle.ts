/** Returns true when the reader has asked browsers to save data. */
export const savesData = (): boolean | undefined =>
  (navigator as { connection?: { readonly saveData?: boolean } }).connection?.saveData;

/** Calls `callback` once the browser is idle; never when the reader saves data. Returns a function that cancels the call. */
export function whenIdle(callback: () => void): () => void {
  if (savesData()) return () => {};
  // Safari has no idle callbacks.
  const [request, cancel] = self.requestIdleCallback
    ? [self.requestIdleCallback, self.cancelIdleCallback]
    : [self.setTimeout, self.clearTimeout];
  const id = request(callback);
  return () => cancel(id);
}
