/** The major version of the contract between browser and merchant. Within a major there are only additions. */
export const contractVersion = 1;

/**
 * Headers of the contract. Names are in lower case, as `Headers` and node:http give them.
 */
export const contractHeaders = {
  /** Request: the major version of the contract that the browser speaks. */
  version: 'checkout-contract',
  /** Answer: the service's clock at the moment of answering, in milliseconds since the epoch (UTC). */
  serviceTime: 'checkout-service-time',
  /** Answer: how long to wait before the next look, in milliseconds. */
  nextPoll: 'checkout-next-poll-ms',
} as const;

/** The longest time for which the proxy holds an answer (`Prefer: wait=N`, RFC 7240, section 4.3). */
export const maxWaitSeconds = 25;

/** The routes below the proxy's base path. */
export const routes = {
  /** POST: create the session of an order, or get its open or paid one back. */
  sessions: '/sessions',
  /** POST: create a page of the service on which an order is paid; see `CheckoutLink`. */
  links: '/links',
  /** GET: the payment view; `Authorization: Bearer <clientSecret>`. */
  session: (reference: string): string => `/sessions/${encodeURIComponent(reference)}`,
} as const;
