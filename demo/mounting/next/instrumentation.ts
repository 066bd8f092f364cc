import type { Checkout } from 'transfer-checkout/server-kit';

declare global {
  var shopCheckout: Checkout;
}

/** Next calls this once at start-up. It bundles the routes separately, so they share the checkout through a global. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { createShopCheckout } = await import('../shop.ts');
    const checkout = createShopCheckout();
    checkout.start();
    globalThis.shopCheckout = checkout;
    // Set NEXT_MANUAL_SIG_HANDLE=true, because otherwise Next exits without waiting.
    process.once('SIGTERM', async () => {
      await checkout.stop();
      // Waiting requests have their responses by now; Next takes a moment to send them.
      setTimeout(() => process.exit(0), 1000);
    });
  }
}
