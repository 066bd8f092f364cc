/** The major version of the contract between browser and merchant. Within a major version there are only additions. */
export const contractVersion = 1;

/** The contract's headers, in lower case as in `Headers` and node:http. */
export const contractHeaders = {
  /** Request: the contract's major version that the browser uses. */
  version: 'checkout-contract',
  /** Request: the client secret of the payment to read; in a POST, the stored payments. Proxies remove `Authorization`. */
  secret: 'checkout-secret',
  /** Response: the service's clock, in milliseconds since the epoch (UTC). */
  serviceTime: 'checkout-service-time',
  /** Response: milliseconds to wait before the next poll. */
  nextPoll: 'checkout-next-poll-ms',
} as const;

/** The longest time that the server holds a response (`Prefer: wait=N`, RFC 7240, section 4.3). */
export const maxWaitSeconds = 25;

/**
 * What a page prefers to get from `POST {base}/sessions` (`Prefer: payment=new`; RFC 7240, section 2). Servers that do not know the
 * preference get or create a payment.
 *
 * - without it, a stored payment of the order, also an expired or failed one; where there is none, gets or creates the order's payment
 * - `new`: an ended payment is not enough; the shopper has asked for another one
 * - `existing`: only a stored payment of the order, never another one; 404 with `session_unknown` where there is none
 */
export type PaymentPreference = 'new' | 'existing';

/** The routes below the checkout handler's base path. */
export const routes = {
  /** POST: gets or creates the session of an order. */
  sessions: '/sessions',
  /** POST: creates a payment page of the service; see `CheckoutLink`. */
  links: '/links',
  /** GET: returns the payment view; needs `Checkout-Secret: <clientSecret>`. */
  session: (reference: string): string => `/sessions/${encodeURIComponent(reference)}`,
} as const;
