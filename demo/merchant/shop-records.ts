import type { Money } from 'transfer-checkout';
import type { OutcomeEvent } from 'transfer-checkout/server-kit';

/** Runs one statement and returns its rows; `$1` is the first of `values`. */
export type Query = (sql: string, values?: readonly string[]) => Promise<readonly Record<string, unknown>[]>;

/** A call of one of the shop's handlers. */
export type ShopEvent = {
  /** The idempotency key of the call. */
  key: string;
  /** When the handler was called, in ISO 8601. */
  at: string;
  outcome: OutcomeEvent['outcome'];
  orderId: string;
  /** What the order cost when the payment was created. */
  amount: Money;
  reference: string;
  /** What has been received on the payment. */
  received: Money;
};

/** The shop's own records, besides those of the checkout. */
export type ShopRecords = {
  /** Returns the secret of that name, created once and kept across restarts. */
  secret: (name: string) => Promise<string>;
  /**
   * Records the call of a handler; the same key again changes nothing.
   *
   * @param query runs in the checkout's transaction, if there is one
   */
  addEvent: (event: ShopEvent, query?: Query) => Promise<void>;
  /** Returns the calls for an order, oldest first. */
  eventsOf: (orderId: string) => Promise<readonly ShopEvent[]>;
};

/** Whether an order of this price is paid. What was paid at another price ships nothing: a person has to decide. */
export const isPaid = (events: readonly ShopEvent[], price: number): boolean =>
  events.some(({ outcome, amount }) => outcome === 'paid' && amount.value === price);

/** Whether a handler was called for this outcome of the order. */
export const hasEvent = (events: readonly ShopEvent[], outcome: ShopEvent['outcome']): boolean =>
  events.some((event) => event.outcome === outcome);

/** Returns a random secret of 256 bits. */
export const createSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
