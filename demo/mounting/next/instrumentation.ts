import type { Checkout } from 'transfer-checkout/server-kit';

declare global {
  var shopCheckout: Checkout;
}

/** Next calls this once, when the server starts. It bundles the routes apart from it, so they meet in the global. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { createShopCheckout } = await import('../shop.ts');
    const checkout = createShopCheckout();
    checkout.start();
    globalThis.shopCheckout = checkout;
    // Set NEXT_MANUAL_SIG_HANDLE=true: otherwise Next ends the process by itself, whatever still runs.
    process.once('SIGTERM', async () => {
      await checkout.stop();
      // Who has waited is answered by now; Next takes a moment to send it.
      setTimeout(() => process.exit(0), 1000);
    });
  }
}
