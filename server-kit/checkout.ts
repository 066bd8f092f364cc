import type { Session } from '../src/contract/index.ts';
import { attemptForOrder } from './attempts.ts';
import { checkCheckoutOptions, combineDialects } from './checkout-options.ts';
import type { PaymentsClient } from './client.ts';
import { type ClientSecrets, createClientSecrets } from './client-secret.ts';
import type { Dialect } from './dialect.ts';
import { type FetchHandler, toFetchHandler } from './fetch.ts';
import { createOncePerOrder } from './once-per-order.ts';
import { type OrderInput, parseOrder } from './order.ts';
import { createOutcomeNotifier, type OutcomeHandlers } from './outcome-handlers.ts';
import { type OpenedRecord, toPaymentView } from './payment-view.ts';
import type { PlainHandler } from './plain-http.ts';
import { createProxy } from './proxy.ts';
import { createReference } from './reference.ts';
import { createReport, type OnError } from './report.ts';
import type { Store } from './stores/store.ts';
import { type Wait, waitWithTimer } from './wait.ts';
import { createWatcher } from './watcher.ts';

const daySeconds = 24 * 3600;

/** The longest time after expiry in which something can still happen that a shopper wants to see. */
const secretLifetimeAfterExpirySeconds = 37 * daySeconds;

/** What the merchant's `createPayment` gets of a browser's request. */
export type CreatePaymentRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  headers: Headers;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
};

export type CheckoutOptions = OutcomeHandlers & {
  /** The client of the payments service. */
  payments: PaymentsClient;
  /** Where payments are recorded before anything else happens. */
  store: Store;
  /**
   * Sign the client secrets: the first signs, all verify, so that a key can be replaced. At least 32 characters
   * each, the same on every instance, and never the API secret.
   */
  clientSecretKeys: readonly string[];
  /**
   * Says which order the caller may pay, and what it costs. Called for each `POST {base}/sessions`.
   *
   * It must authorise: posting somebody else's order id must not hand out that order's session. Read the order from
   * something the browser cannot make up, such as a signed cookie or a signed cart, and throw
   * `new CheckoutError('forbidden')` otherwise. Take the price from your own records, never from `body`.
   *
   * @example
   * createPayment: async ({ headers }) => {
   *   const cart = verifySignedCart(headers.get('cookie'));
   *   if (cart === undefined) throw new CheckoutError('forbidden', 'Your cart has ended; go back to the shop.');
   *   return { orderId: cart.orderId, amount: { value: totalOf(cart), currency: 'NGN' } };
   * }
   */
  createPayment: (request: CreatePaymentRequest) => OrderInput | Promise<OrderInput>;
  /** The address under which shoppers reach this server, http(s): `https://shop.example`. */
  publicUrl: string;
  /** How `chargedAmount` is to be read (`chargedAmountBasis`). All other choices are the client's. */
  dialect?: Partial<Dialect>;
  /** The least time between two looks at one payment, in milliseconds. Default: 2,000. */
  lookIntervalMs?: number;
  /** Hears what no caller is told: a service that refuses, a handler that throws. Default: `console.error`. */
  onError?: OnError;
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  wait?: Wait;
  /** Random bytes for references. Default: the runtime's own. */
  randomBytes?: (length: number) => Uint8Array;
};

export type Checkout = {
  /**
   * The order's session, for the merchant's own server code, which has authorised the shopper already: the open or
   * the paid payment of the order, or a new one.
   *
   * @throws {CheckoutError} `invalid_options` for an order that is none, `service_unavailable`, `service_rejected`
   */
  createSession: (order: OrderInput) => Promise<Session>;
  /** The proxy's routes as a fetch handler. Mount it at any path. */
  handler: FetchHandler;
  /** The same over plain values; `toNodeListener` serves it with node:http. */
  respond: PlainHandler;
};

/**
 * The merchant's side of the checkout: one open payment an order, and the routes that the widget talks to.
 *
 * @throws {CheckoutError} `invalid_options`, saying which one and what to pass instead
 */
export function createCheckout(options: CheckoutOptions): Checkout {
  checkCheckoutOptions(options);
  const { payments, store, now = Date.now, wait = waitWithTimer, lookIntervalMs = 2000 } = options;
  const report = createReport(options.onError);
  const dialect = combineDialects(payments.dialect, options.dialect);
  const secrets = createClientSecrets(options.clientSecretKeys);
  const onLook = createOutcomeNotifier(options, report);
  const watcher = createWatcher({ payments, store, dialect, now, lookIntervalMs, onLook });
  const attempts = {
    payments,
    store,
    watcher,
    wait,
    report,
    createReference: () => createReference(options.randomBytes),
  };
  const attemptOnce = createOncePerOrder((order) => attemptForOrder(attempts, order));

  const openSession = async (input: unknown, source: string) => {
    const { record, created } = await attemptOnce(parseOrder(input, source));
    return { record, session: await toSession(secrets, record), created };
  };

  const respond = createProxy({
    secrets,
    watcher,
    store,
    publicUrl: new URL(options.publicUrl),
    lookIntervalMs,
    now,
    wait,
    report,
    serviceNow: payments.serviceNow,
    openSession: async (request) =>
      openSession(await options.createPayment(request), 'What createPayment returned'),
  });

  return {
    createSession: async (order) => (await openSession(order, 'The argument of createSession')).session,
    handler: toFetchHandler(respond),
    respond,
  };
}

async function toSession(secrets: ClientSecrets, record: OpenedRecord): Promise<Session> {
  const view = toPaymentView(record);
  const expiresAtSeconds = Math.floor(Date.parse(view.expiresAt) / 1000) + secretLifetimeAfterExpirySeconds;
  const { reference, liveMode } = view;
  return { ...view, clientSecret: await secrets.issue({ reference, liveMode, expiresAtSeconds }) };
}
