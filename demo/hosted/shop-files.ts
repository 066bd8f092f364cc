const cacheName = 'transfer-checkout-demo';

/** Files that a visitor has opened work offline. `assets/` have their hash in their names, so that they never change. */
export const shopFiles = {
  async respond(request: Request): Promise<Response> {
    const cache = await openCache();
    const known = await cache?.match(request, { ignoreSearch: true });
    if (known !== undefined && request.url.includes('/assets/')) return known;
    try {
      const response = await fetch(request);
      // A full storage costs only the offline copy.
      if (response.ok && response.type === 'basic')
        await cache?.put(request, response.clone()).catch(() => {});
      return response;
    } catch (error) {
      if (known !== undefined) return known;
      throw error;
    }
  },
  /** Keeps the files that a page had loaded before the worker ran. */
  async keep(urls: readonly string[]): Promise<void> {
    const cache = await openCache();
    for (const url of urls) await cache?.add(url).catch(() => {});
  },
  /** Deletes the files of earlier versions. */
  forget: async (): Promise<void> => void (await caches.delete(cacheName).catch(() => false)),
};

/** `undefined` where the browser refuses its storage. */
const openCache = (): Promise<Cache | undefined> => caches.open(cacheName).catch(() => undefined);
