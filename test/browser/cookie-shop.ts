import type { BrowserContext } from 'playwright-core';
import { createTestShop, type TestShopInput } from '../../server-kit/tools/testing/index.ts';
import { CheckoutError } from '../../src/contract/index.ts';
import { serveUntilClosed } from '../server-kit/kit/serve.ts';
import { serveElementPage } from './element-page.ts';

/** The prices of the orders differ, so that a page that shows another one is noticed. */
const prices: Readonly<Record<string, number>> = { 'order-a': 1_000_000, 'order-b': 2_222_200 };

/**
 * Starts a shop with the documented markup: one page, which does not name the order. The cookie `cart` does, until the order is paid; a
 * paid order is shown to the shopper whose cookie `shopper` owns it.
 *
 * @param onTestFinished of the test's own context, because concurrent tests share the imported one
 */
export async function startCookieShop(onTestFinished: (close: () => Promise<void>) => void) {
  const owners = new Map<string, string>();
  const paid = new Set<string>();
  const options: TestShopInput = {
    getOrder({ headers, storedOrderId }) {
      const { cart, shopper = '' } = parseCookies(headers.get('cookie'));
      const own = storedOrderId !== undefined && owners.get(storedOrderId) === shopper;
      const orderId = cart && !paid.has(cart) ? cart : own ? storedOrderId : undefined;
      if (orderId === undefined) throw new CheckoutError('forbidden', 'Your cart is empty.');
      owners.set(orderId, shopper);
      return { orderId, amount: { value: prices[orderId] ?? 0, currency: 'NGN' } };
    },
    onPaid: ({ order }) => void paid.add(order.orderId),
  };
  const sandbox = { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' } as const;
  const shop = createTestShop(options, { sandbox });
  const { url, close } = await serveUntilClosed(serveElementPage(shop));
  onTestFinished(close);
  /** Signs a shopper in on the device, with a cart; without one, signs them out. */
  const signIn = async (context: BrowserContext, shopper?: string, cart = ''): Promise<void> => {
    await context.clearCookies();
    if (shopper === undefined) return;
    await context.addCookies([
      { name: 'shopper', value: shopper, url },
      { name: 'cart', value: cart, url },
    ]);
  };
  return { shop, url, signIn };
}

const parseCookies = (header: string | null): Partial<Record<string, string>> =>
  Object.fromEntries((header ?? '').split('; ').map((cookie) => cookie.split('=')));
