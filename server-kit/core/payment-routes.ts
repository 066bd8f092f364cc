import * as v from 'valibot';
import { CheckoutError, type PaymentView } from '../../src/contract/index.ts';
import type { PaymentsClient } from './client.ts';
import type { Payment } from './endpoints.ts';
import { PaymentsError } from './errors.ts';
import { aFunction, objectWith, parseOptions } from './options.ts';
import { mayBeUnknownYet, type StoredOpenedPayment, toPaymentView } from './payment.ts';
import { createRouter, createSessionRoutes, type PageRequest, type PaymentSource } from './routes.ts';
import { ClientSecretKeys, createClientSecrets } from './secrets.ts';
import type { Callback } from './signature.ts';
import { type Wait, waitWithTimer, within } from './time.ts';

const PaymentRoutesOptions = v.strictObject({
  /** What `createPaymentsClient` returns. */
  client: objectWith<PaymentsClient>('payments', 'must be what createPaymentsClient() returns'),
  /** The keys of the client secrets, at least 32 characters each: the first signs, all verify. */
  clientSecretKeys: ClientSecretKeys,
  /**
   * Returns the stored payment of the caller's order, or `undefined` if it has none: open one there, and store it. Authorise the caller:
   * throw `new CheckoutError('forbidden')` for somebody else's order.
   */
  findPayment: aFunction<(request: PageRequest) => Promise<StoredOpenedPayment | undefined>>(),
  /** Returns the stored payment with this reference, for a page that polls it. */
  retrievePayment: aFunction<(reference: string) => Promise<StoredOpenedPayment | undefined>>(),
  /**
   * Called with each response of the service before the page is shown what it says: confirm your order here if `isPaid`. Must be
   * idempotent. If it rejects, the page gets `internal_error` and polls again: it never shows "paid" for an order that is not.
   */
  onVerified: v.optional(aFunction<(opened: StoredOpenedPayment, payment: Payment) => Promise<void>>()),
  /** The address that payments were registered with, and what to do with a callback that the service has signed: verify its payment. */
  callbackUrl: v.optional(v.string()),
  onCallback: v.optional(aFunction<(callback: Callback) => Promise<void>>()),
  /** Called with each failure that a page gets as a 5xx, for your log. */
  onError: v.optional(aFunction<(error: unknown) => void>()),
  /** The local clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** Waits; tests pass their own. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type PaymentRoutesOptions = v.InferInput<typeof PaymentRoutesOptions>;

/** Long enough for late money, and for reversals. */
const secretLifetimeSeconds = 37 * 24 * 3600;

/** A payment is verified at most this often, whatever its pages request. */
const verifyEveryMs = 3000;

/** The longest that a page waits for a service that does not respond. */
const patienceMs = 4000;

/** Between two polls of a page. Ended payments rarely change. */
const [pollMs, rarePollMs] = [5000, 15_000];

/**
 * Creates the routes with which the widget shows payments that a shop stores itself. They keep nothing: each view comes from the stored
 * payment and a fresh verification, or, while the service cannot be reached, from the stored payment alone.
 *
 * Each open page causes a verification every five seconds: `createCheckout` has long polls, a budget, and limits.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createPaymentRoutes(options: PaymentRoutesOptions) {
  const settings = parseOptions(PaymentRoutesOptions, options, 'createPaymentRoutes');
  const {
    client,
    clientSecretKeys,
    findPayment,
    retrievePayment,
    onCallback,
    callbackUrl = '',
    onError,
  } = settings;
  const viewOf = createViews(settings);
  const toResponse = async (opened: StoredOpenedPayment) => {
    const view = await viewOf(opened);
    const isOpen = view.outcome === 'pending' || view.outcome === 'unclear';
    return { view, nextPollMs: isOpen ? pollMs : rarePollMs };
  };
  const source: PaymentSource = {
    async open(request) {
      const opened = await findPayment(request);
      if (opened !== undefined) return toResponse(opened);
      throw new CheckoutError('session_unknown', 'The order has no payment; open one, and store it.');
    },
    async read({ reference }) {
      const opened = await retrievePayment(reference);
      return opened && toResponse(opened);
    },
    ...(onCallback && {
      receiveCallback: async ({ request: _, ...signed }) =>
        onCallback(await client.parseCallback({ ...signed, callbackUrl })),
    }),
  };
  const secrets = createClientSecrets(clientSecretKeys);
  const routes = createSessionRoutes({ ...settings, source, secrets, secretLifetimeSeconds });
  return createRouter(routes, {
    onRefusal: (refusal, _route, _request, error) =>
      void (refusal.code === 'internal_error' && onError?.(error)),
  });
}

type Views = Pick<
  v.InferOutput<typeof PaymentRoutesOptions>,
  'client' | 'onVerified' | 'onError' | 'now' | 'wait'
>;

/** Returns a function that verifies a payment, once in three seconds for all callers, and returns its view. */
function createViews({ client, onVerified, onError, now, wait }: Views) {
  const recent = new Map<string, { at: number; result: Promise<Payment> }>();
  const verify = (reference: string): Promise<Payment> => {
    // In the order of their time, because each is added at the end.
    for (const [known, { at }] of recent) {
      if (now() - at < verifyEveryMs) break;
      recent.delete(known);
    }
    const result = recent.get(reference)?.result ?? client.payments.verify(reference);
    if (!recent.has(reference)) recent.set(reference, { at: now(), result });
    return result;
  };
  return async (opened: StoredOpenedPayment): Promise<PaymentView> => {
    const { dialect, serviceNow } = client;
    let payment: Payment | null | undefined;
    try {
      payment = await within(wait, patienceMs, () => verify(opened.reference));
    } catch (error) {
      const isUnknown = error instanceof PaymentsError && error.code === 'not_found';
      if (!isUnknown) onError?.(error);
      else if (!mayBeUnknownYet(opened, serviceNow())) payment = null;
    }
    if (payment) await onVerified?.(opened, payment);
    return toPaymentView(opened, payment, dialect);
  };
}
