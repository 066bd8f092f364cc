import type { CheckoutErrorCode, Money } from '../../../src/contract/index.ts';
import type { SignatureErrorCode } from '../../core/signature.ts';
import type { EventNames } from '../order/event.ts';
import type { IgnoredReason } from '../order/merge.ts';
import type { IgnoredField } from '../order/request.ts';
import type { OutboxEvent } from '../store.ts';

/** The kind of record that a callback is about, by the fields of its `data`; `unknown` if there are too few. */
export type CallbackKind = 'payment' | 'payout' | 'invoice' | 'dedicated_account' | 'unknown';

/** A callback with a valid signature, and what follows from it. */
export type CallbackEvent = {
  /**
   * - `verify`: it names a recorded payment, which is verified
   * - `unknown`: it names a payment of no order; see `onUnknownPayment`
   * - `ignored`: it does not concern the checkout
   */
  action: 'verify' | 'unknown' | 'ignored';
  kind: CallbackKind;
  /** The sender's name for the event, which is not signed. */
  event: string | undefined;
  /** The payment's reference, if there is one. */
  reference: string | undefined;
};

/** The routes of the checkout; `none` for an unknown path. */
export type RouteName =
  /** `POST {base}/sessions`: 201 with a new session, 200 with one that the order has; 404 for `Prefer: payment=existing` where the page names none of the order. JSON only; from `publicUrl`'s own origin and `allowedOrigins`. */
  | 'createSession'
  /** `POST {base}/links`: 201 with a link: a session and the `authorizationUrl` to send the shopper to; 200 where the order has a payment. Takes the same requests as `sessions`. */
  | 'createLink'
  /** `GET {base}/sessions/{reference}`: 200 with the payment, or 304 where it has not changed. `Checkout-Secret: <clientSecret>`. */
  | 'readSession'
  /** `POST {base}/callbacks`: 204 for a callback that the service has signed. It is a reason to verify the payment, never evidence. */
  | 'callbacks'
  /** `POST {base}/reconcile`: 200 with the counts of one round. `Authorization: Bearer <operatorKey>`; 404 where no key is set. */
  | 'reconcile'
  /** `GET {base}/status`: 200 with `CheckoutStatus`, the counts of outcomes, how long the oldest payments have waited, in milliseconds, and the events that wait for a handler. Takes the operator key; 404 where none is set. */
  | 'status'
  /** `GET {base}/orders/{id}`: 200 with a page of text about the orders with this id, reference or account number, for a support person; with `Accept: application/json`, a list of `OrderReport`. `?timeZone=Africa/Lagos` writes times in that zone. Asks the service. Takes the operator key. */
  | 'orders'
  /** `POST {base}/notes`: 204 after `{ orderId, text }`, what a person has done about an order: it then needs none. Takes the operator key. */
  | 'notes'
  /** `GET {base}/health`: 200 while the process responds. Also HEAD. */
  | 'health'
  /** `GET {base}/ready`: 200, or 503 while the store is down and after `stop()`, with `{ status, store, clock, stopping }`. Also HEAD. */
  | 'ready'
  | 'none';

/** An outbox event in the log. `token` counts its tries. */
type OutboxEventNames = EventNames & Pick<OutboxEvent, 'token'>;

/** An event on the server, without secrets, bodies, customer data, or headers but for the `origin` of a refused page. Control characters in its texts are escaped. `error` is what was thrown, unchanged; `JSON.stringify` writes its name, code, message, stack and causes, escaped as well. */
export type LogEvent =
  /** A request was refused with a status from 400 to 499. */
  | { type: 'requestRefused'; route: RouteName; status: number; code: CheckoutErrorCode }
  /** A request failed with a status of 500 or above. */
  | { type: 'requestFailed'; route: RouteName; status: number; code: CheckoutErrorCode; error: unknown }
  /** Pages reach the checkout at another path than callbacks are sent to, which then probably get a 404. `message` says what to set. Logged at most once a minute. */
  | { type: 'basePathDiffers'; mountPath: string; callbackUrl: string; message: string }
  /** Pages come from a private address, probably through a proxy, and there is no `clientKey`: no limit per client counts. `message` says what to set. Logged once. */
  | { type: 'clientKeyMissing'; message: string }
  /** A page of an origin that is not allowed was refused; `message` says what to set. Logged at most once a minute. */
  | { type: 'originRefused'; origin: string; message: string }
  /** A payment was requested without a client secret, probably because a proxy removes the header; `message` names it. Logged at most once a minute. */
  | { type: 'secretMissing'; message: string }
  /** A callback was accepted. */
  | ({ type: 'callback' } & CallbackEvent)
  /** A callback names a payment of no order, and there is no `onUnknownPayment`. Of its repetitions, one is logged. */
  | { type: 'unknownPayment'; reference: string; message: string }
  /** A callback was refused. */
  | { type: 'callbackRefused'; reason: SignatureErrorCode }
  /** A verification failed, and the stored record was used instead. Of many failures at once, one is logged. */
  | { type: 'verificationFailed'; reference: string; error: unknown }
  /** A payment's money arrived at least 15 minutes ago and is still not confirmed. Logged once per payment, by each process. */
  | { type: 'confirmationLate'; reference: string; orderId: string; since: string }
  /** A payment is reported as reversed that was never seen as paid. Its verifications continue. Logged once per payment. */
  | { type: 'reversedUnpaid'; reference: string; orderId: string }
  /** The service does not know a payment that it has created; `advice` says why that may be, and what to do. Its verifications continue. Logged once per payment, and again only if the service has known it in between. */
  | { type: 'paymentNotFound'; reference: string; orderId: string; advice: string }
  /** `getOrder` names another amount (`orderAmount`) than that of the payment that has paid the order or may hold its money (`amount`): the order was changed after it was paid, or while it was. The shopper has paid for `amount`, and `onPaid` gets that one. Logged once per payment and new amount, by each process. */
  | { type: 'orderAmountChanged'; reference: string; orderId: string; amount: Money; orderAmount: Money }
  /** An optional field of an order of `getOrder`, `createSession` or `createLink` was wrong or unknown, and was left out; the shopper got the account. `message` says what it must be. Logged once per field by each process. */
  | ({ type: 'orderFieldIgnored' } & IgnoredField)
  /** Two open orders wait for money on the same account. Logged once for each pair, by each process. */
  | { type: 'accountShared'; accountNumber: string; orderIds: string[] }
  /** A response of the service contradicts the record and was ignored. The same contradiction is logged once. */
  | { type: 'responseIgnored'; reference: string; reason: IgnoredReason; status: string; updatedAt: string }
  /** The service responded 429: this instance pauses its verifications, and then continues at this rate. */
  | { type: 'serviceLimited'; pauseMs: number; ratePerSecond: number }
  /** A handler succeeded. */
  | ({ type: 'handlerSucceeded' } & OutboxEventNames)
  /** A handler failed; it is called again after `retryAfterMs`. */
  | ({ type: 'handlerFailed'; retryAfterMs: number; error: unknown } & OutboxEventNames)
  /** The checkout was stopped while a handler ran: it is called again by another instance, or after the next start. */
  | ({ type: 'handlerInterrupted' } & OutboxEventNames)
  /** Money came or went, and no handler of this instance takes that outcome, or its runs were lost twenty times: the event is kept until an instance with a handler starts. `amount` in minor units; `message` names the handler. Logged once per event. */
  | ({ type: 'parked'; amount: number; message: string } & OutboxEventNames)
  /** Another instance took over an outbox event while its handler ran here. */
  | ({ type: 'leaseLost' } & OutboxEventNames)
  | { type: 'leaseNotRenewed'; key: string; error: unknown }
  /** Background work failed, usually because of the store; it is tried again. */
  | { type: 'backgroundFailed'; error: unknown }
  /** A verification has been due for over a minute (`checkLagMs`), and this process has run no round since it began: `start()` is missing, and nobody calls `reconcile` often enough. `message` says what to call. Logged once by each process. */
  | { type: 'roundsMissing'; checkLagMs: number; message: string }
  /** The store did not respond to a probe or a measurement. */
  | { type: 'storeFailed'; error: unknown }
  /** `clientKey` threw, or returned no string: the request has no limit. */
  | { type: 'clientKeyFailed'; error: unknown }
  /** The store hears nothing from other instances: pages that wait here learn of their changes up to 3 seconds later. Logged once per outage. */
  | { type: 'changesMissed'; error: unknown }
  /** `stop` was called: readiness is withdrawn, and held requests get their responses. */
  | { type: 'stopped' };

export type LogLevel = 'info' | 'warn' | 'error';

/** A log entry. The types are a closed list, which may grow. */
export type LogEntry = Readonly<{ level: LogLevel } & LogEvent>;
