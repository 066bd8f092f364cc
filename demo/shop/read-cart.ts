/** This browser's order, as the shop's server reports it. Amounts are in kobo. */
export type Cart = {
  orderId: string;
  items: readonly { sku: string; title: string; author: string; price: number }[];
  total: { value: number; currency: string };
  isPaid: boolean;
  /** The address of the panel that plays the bank; `null` unless the shop uses the sandbox. */
  controlPanel: string | null;
};

/**
 * Reads the cart.
 *
 * @returns the cart, or `undefined` if this browser has none
 * @throws {Error} if the shop's server fails or cannot be reached
 */
export async function readCart(): Promise<Cart | undefined> {
  const response = await fetch('/cart');
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`GET /cart returned ${response.status}; see the server log.`);
  return (await response.json()) as Cart;
}
