import type { Checkout } from 'transfer-checkout/server-kit';

declare global {
  var shopCheckout: Checkout;
}

/** Next calls this once, when the server starts, and bundles it apart from the routes: they meet in the global. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { createShopCheckout } = await import('../shop.ts');
  const checkout = createShopCheckout();
  checkout.start();
  globalThis.shopCheckout = checkout;
  // With NEXT_MANUAL_SIG_HANDLE=true, or Next ends the process by itself, and with 143.
  process.once('SIGTERM', () => checkout.stop().then(() => process.exit(0)));
}
