import type { ShopEvent } from '../merchant/shop-records.ts';

/** This browser's order, as the shop's server reports it. Amounts are in kobo. */
export type Cart = {
  orderId: string;
  items: readonly { sku: string; title: string; author: string; price: number }[];
  total: { value: number; currency: string };
  /** The order was paid once; its money may have been taken back later. */
  wasPaid: boolean;
  /** The address of the sandbox's panel; `null` unless the shop uses the sandbox. */
  controlPanel: string | null;
  /** What the visitor should know about the host, if anything. */
  notice?: string | null;
};

/**
 * Reads the cart.
 *
 * @returns the cart, or `undefined` if this browser has none
 * @throws {UnavailableError}
 * @throws {Error} if the shop's server fails or cannot be reached
 */
export async function readCart(): Promise<Cart | undefined> {
  const response = await fetch('./cart');
  if (response.status === 404) return undefined;
  return (await bodyOf(response)) as Cart;
}

/**
 * Reads the calls of the shop's handlers for this browser's order, oldest first.
 *
 * @throws {Error} if the shop's server fails or cannot be reached
 */
export async function readEvents(): Promise<readonly ShopEvent[]> {
  const { events } = (await bodyOf(await fetch('./activity'))) as { events: readonly ShopEvent[] };
  return events;
}

/** The shop's server cannot respond now. The message is the server's, for people. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.ok) return response.json();
  if (response.status === 503) throw new UnavailableError(await response.text());
  throw new Error(`GET ${response.url} returned ${response.status}; see the server log.`);
}
