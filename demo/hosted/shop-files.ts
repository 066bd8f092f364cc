/** The static files of the demo. */
export type ShopFiles = {
  /** Responds with the server's file. One that was opened before is kept, and works offline. */
  respond: (request: Request) => Promise<Response>;
  /** Keeps the files that a page had loaded before the worker ran. */
  keep: (urls: readonly string[]) => Promise<void>;
  /** Deletes the files of earlier versions. */
  forget: () => Promise<void>;
};

/** @param name the name of the cache */
export function createShopFiles(name: string): ShopFiles {
  /** `undefined` if the browser refuses its storage. */
  const open = (): Promise<Cache | undefined> => caches.open(name).catch(() => undefined);
  return {
    async respond(request) {
      const cache = await open();
      const known = await cache?.match(request, { ignoreSearch: true });
      // Files in `assets/` have their hash in their names, so that they never change.
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
    async keep(urls) {
      const cache = await open();
      for (const url of urls) await cache?.add(url).catch(() => {});
    },
    forget: async () => void (await caches.delete(name).catch(() => false)),
  };
}
