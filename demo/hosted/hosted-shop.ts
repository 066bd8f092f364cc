import { createSandbox, type Storage, sandboxCredentials } from 'transfer-checkout/sandbox';
import { createPaymentsClient } from 'transfer-checkout/server-kit';
import { createShopCheckout, sandboxSettings } from '../merchant/shop-checkout.ts';
import { createShopRoutes, rootOf } from '../merchant/shop-routes.ts';
import { createIndexedDbStore } from './storage/checkout-store.ts';
import { openDatabase } from './storage/database.ts';
import { createIndexedDbCarts, createIndexedDbRecords } from './storage/records.ts';
import { openSandboxStorage } from './storage/sandbox-storage.ts';

export type HostedShop = {
  /** Responds to requests to the shop, its checkout and the sandbox. */
  respond: (request: Request) => Promise<Response>;
  /** Resolves when due callbacks are delivered and the shop's handlers have run. */
  settled: () => Promise<void>;
};

/**
 * Opens the shop, its checkout and the payments service in this service worker. They exchange signed requests and
 * callbacks, as over a network.
 *
 * @param onClosed called when the storage is lost: open the shop again for the next request
 * @throws {StorageError}
 */
export async function openHostedShop(publicUrl: string, onClosed: () => void): Promise<HostedShop> {
  const root = rootOf(publicUrl);
  let stop = async (): Promise<void> => {};
  const close = (): void => {
    onClosed();
    void stop();
  };
  const { db, wasReset } = await openDatabase({ name: `transfer-checkout-demo ${root}/`, onClosed: close });
  const storage = closeOnFailure(await openSandboxStorage(db), close);
  const records = createIndexedDbRecords(db);
  const carts = createIndexedDbCarts(db);
  const checkout = await createShopCheckout({
    publicUrl,
    client: createPaymentsClient({
      baseUrl: `${publicUrl}/service`,
      ...sandboxCredentials,
      liveMode: false,
      fetch: (input, init) => sandbox.fetch(input, init),
    }),
    store: createIndexedDbStore(db),
    records,
    queryIn: () => undefined,
    carts,
    allowSandbox: true,
  });
  // After the checkout: a sandbox delivers callbacks that are due as soon as it exists.
  const sandbox = createSandbox({
    ...sandboxSettings,
    basePath: `${root}/service`,
    publicUrl: new URL(publicUrl).origin,
    storage,
    fetch: (input, init) => checkout.handler(new Request(input, init)),
  });
  stop = async () => {
    await Promise.allSettled([checkout.stop(), sandbox.close()]);
    db.close();
  };
  checkout.start();
  const respondToShop = createShopRoutes({
    publicUrl,
    checkout,
    carts,
    records,
    hasSandbox: true,
    ...(wasReset && { notice: 'The demo has a new version. Orders of the earlier one are gone.' }),
  });
  return {
    async respond(request) {
      const path = new URL(request.url).pathname.slice(root.length);
      if (path.startsWith('/checkout/')) return checkout.handler(request);
      if (path.startsWith('/service/')) return sandbox.fetch(request);
      return (await respondToShop(request)) ?? new Response(null, { status: 404 });
    },
    async settled() {
      await sandbox.settled();
      await checkout.settled();
    },
  };
}

/** After a failed write, the sandbox in memory is ahead of its storage, so that it must be opened again. */
const closeOnFailure = ({ entries, append }: Storage, close: () => void): Storage => ({
  entries,
  append: (written) =>
    append(written).catch((error: unknown) => {
      close();
      throw error;
    }),
});
