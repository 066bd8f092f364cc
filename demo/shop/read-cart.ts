/** What the shop's server says about the order of this browser. Amounts in kobo. */
export type Cart = {
  orderId: string;
  items: readonly { sku: string; title: string; author: string; price: number }[];
  total: { value: number; currency: string };
  isPaid: boolean;
  /** Where to play the bank; `null` when the shop talks to another service than its sandbox. */
  controlPanel: string | null;
};

/**
 * @returns the cart, or `undefined` when this browser has none
 * @throws when the shop's server cannot be reached, or fails
 */
export async function readCart(): Promise<Cart | undefined> {
  const response = await fetch('/cart');
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`GET /cart answered ${response.status}; look at the server's log.`);
  return (await response.json()) as Cart;
}
