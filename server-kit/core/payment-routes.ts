import * as v from 'valibot';
import { CheckoutError, checkoutErrorStatus } from '../../src/contract/index.ts';
import type { PaymentsClient } from './client.ts';
import type { Payment } from './endpoints.ts';
import { PaymentsError } from './errors.ts';
import { aFunction, objectWith, parseOptions } from './options.ts';
import { mayBeUnknownYet, type StoredPayment, toPaymentView } from './payment.ts';
import type { PageRequest, PageResponse, PaymentSource } from './routes.ts';
import { createRouter, createSessionRoutes } from './routes.ts';
import { ClientSecretKeys, createClientSecrets } from './secrets.ts';
import type { Callback } from './signature.ts';
import { type Wait, waitWithTimer, within } from './time.ts';

const PaymentRoutesOptions = v.strictObject({
  /** What `createPaymentsClient` returns. */
  client: objectWith<PaymentsClient>('payments', 'must be what createPaymentsClient() returns'),
  /** The keys of the client secrets, at least 32 characters each: the first signs, all verify. */
  clientSecretKeys: ClientSecretKeys,
  /** Finds, or opens and stores, the payment of the caller's order. Throw `new CheckoutError('forbidden')` for somebody else's order. */
  findPayment: aFunction<(request: PageRequest) => Promise<StoredPayment | undefined>>(),
  /** Returns the stored payment with this reference, for a page that polls it. */
  retrievePayment: aFunction<(reference: string) => Promise<StoredPayment | undefined>>(),
  /** Called with each response of the service, paid or not: confirm your order if `isPaid`, idempotently. If it rejects, the page polls again: it never shows "paid" for an order that is not. */
  onVerified: v.optional(aFunction<(opened: StoredPayment, payment: Payment) => Promise<void>>()),
  /** The address that payments were registered with. With `onCallback`, `POST …/callbacks` accepts what the service has signed for it. */
  callbackUrl: v.optional(v.string()),
  /** Called with each signed callback: verify the payment that it names. */
  onCallback: v.optional(aFunction<(callback: Callback) => Promise<void>>()),
  /** Called with each failure that a page gets as a 5xx, and with each verification that failed for a session, for your log. */
  onError: v.optional(aFunction<(error: unknown) => void>()),
  /** The local clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** Waits; tests pass their own. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type PaymentRoutesOptions = v.InferInput<typeof PaymentRoutesOptions>;

/** Long enough for late money, and for reversals. */
const secretLifetimeSeconds = 37 * 24 * 3600;
/** A payment is verified at most this often; a new page waits no longer than `patienceMs` for it. */
const [verifyEveryMs, patienceMs] = [3000, 4000];
/** Between two polls of a page. Ended payments rarely change. */
const [pollMs, rarePollMs] = [5000, 15_000];

/**
 * Creates the routes with which the widget shows payments that a shop stores itself. Each view is verified. While the service does not
 * respond, a session still has the stored account, and a poll gets 503. Throws `invalid_options`, naming each invalid option.
 */
export function createPaymentRoutes(options: PaymentRoutesOptions) {
  const settings = parseOptions(PaymentRoutesOptions, options, 'createPaymentRoutes');
  const { client, onVerified, onCallback, onError, callbackUrl = '' } = settings;
  if ((settings.callbackUrl === undefined) !== (onCallback === undefined))
    throw new CheckoutError('invalid_options', 'Pass callbackUrl and onCallback together.');
  const secrets = createClientSecrets(settings.clientSecretKeys, secretLifetimeSeconds);
  const verifySpaced = createSpacedVerify(client, settings.now);
  const verify = (opened: StoredPayment): Promise<Payment | null | undefined> =>
    verifySpaced(opened.reference).catch((error: unknown) => {
      if (!(error instanceof PaymentsError) || error.code !== 'not_found') throw error;
      return mayBeUnknownYet(opened, client.serviceNow()) ? undefined : null;
    });
  const toResponse = async (opened: StoredPayment, payment?: Payment | null): Promise<PageResponse> => {
    if (payment) await onVerified?.(opened, payment);
    const view = toPaymentView(opened, payment);
    const isOpen = view.outcome === 'pending' || view.outcome === 'unclear';
    return { view, nextPollMs: isOpen ? pollMs : rarePollMs };
  };
  const source: PaymentSource = {
    async open(request) {
      const opened = await settings.findPayment(request);
      if (opened === undefined)
        throw new CheckoutError('session_unknown', 'The order has no payment; open one, and store it.');
      const verification = within(settings.wait, patienceMs, () => verify(opened));
      return toResponse(opened, await verification.catch((error: unknown) => void onError?.(error)));
    },
    async read({ reference, liveMode }) {
      const opened = await settings.retrievePayment(reference);
      if (opened?.liveMode !== liveMode) return undefined;
      return toResponse(opened, await verify(opened));
    },
    ...(onCallback && {
      receiveCallback: async ({ request: _, ...signed }) =>
        onCallback(await client.parseCallback({ ...signed, callbackUrl })),
    }),
  };
  return createRouter(createSessionRoutes({ ...settings, source, secrets }), {
    onRefusal: ({ code }, _route, _request, error) => {
      if ((checkoutErrorStatus[code] ?? 500) >= 500) onError?.(error);
    },
  });
}

/** All callers within three seconds get the same response, or error. */
function createSpacedVerify(client: PaymentsClient, now: () => number) {
  const recent = new Map<string, { at: number; result: Promise<Payment> }>();
  return (reference: string): Promise<Payment> => {
    // The oldest come first.
    for (const [known, { at }] of recent) {
      if (now() - at < verifyEveryMs) break;
      recent.delete(known);
    }
    // A page gives up a poll after 15 seconds.
    const verify = () => client.payments.verify(reference, { maxRetries: 1, timeoutMs: 5000 });
    const { at, result } = recent.get(reference) ?? { at: now(), result: verify() };
    recent.set(reference, { at, result });
    return result;
  };
}
