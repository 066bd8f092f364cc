import type { CheckoutErrorCode } from '../../src/contract/index.ts';
import type { Callback } from '../signing/callbacks.ts';
import type { SignatureErrorCode } from '../signing/signature.ts';
import type { OutboxEvent } from '../stores/outbox-event.ts';

/** A callback that was believed, and what is done about it. */
export type CallbackEvent = {
  /**
   * - `verify`: it tells of a payment of ours, which is looked up at the service
   * - `unmatched`: it tells of a payment that is not recorded; it is recorded as one that no order waits for, and looked up
   * - `ignored`: it tells of nothing that a checkout has to do with
   */
  action: 'verify' | 'unmatched' | 'ignored';
  kind: Callback['kind'];
  /** The sender's name for it, which is not signed. */
  event: string | undefined;
  /** The payment's reference, where there is one. */
  reference: string | undefined;
};

/**
 * Why a response of the service changes nothing of what is recorded:
 *
 * - `afterPaid`: the payment is paid, and only a reversal counts then
 * - `afterReversal`: the money has been taken back; nothing counts then, unless the payment was never seen to be paid
 * - `forgetsMoney`: money may be there, and the response says that there is none
 * - `older`: the payment has come further since
 * - `otherPayment`: it names another payment than was first made by this link
 */
export type IgnoredReason = 'afterPaid' | 'afterReversal' | 'forgetsMoney' | 'older' | 'otherPayment';

/** The routes of the checkout; `none` for a path that leads to nothing. */
export type RouteName =
  | 'createSession'
  | 'createLink'
  | 'readSession'
  | 'callbacks'
  | 'reconcile'
  | 'deadLetters'
  | 'retryDeadLetters'
  | 'health'
  | 'ready'
  | 'none';

/** An effect in the log. `token` counts its tries. */
type OutboxEventNames = Pick<OutboxEvent, 'key' | 'orderId' | 'outcome' | 'reference' | 'token'>;

/** What happens on the server, without secrets, headers, bodies or customers. `error` is what was thrown, as it is. */
export type LogEvent =
  /** A caller was told what is wrong with its request: a status from 400 to 499. */
  | { type: 'requestRefused'; route: RouteName; status: number; code: CheckoutErrorCode }
  /** A caller was told that we, or the service, have failed: a status of 500 and above. */
  | { type: 'requestFailed'; route: RouteName; status: number; code: CheckoutErrorCode; error: unknown }
  /** A callback was believed. */
  | ({ type: 'callback' } & CallbackEvent)
  /** A callback was not believed. */
  | { type: 'callbackRefused'; reason: SignatureErrorCode }
  /** A look at the service has failed, and whoever asked got what is recorded. Of many at once, one is told. */
  | { type: 'verificationFailed'; reference: string; error: unknown }
  /**
   * The service sent fees of a payment that are no whole number of minor units. What was charged counts without them, so that
   * its outcome does not depend on them. Told when the payment changes.
   */
  | { type: 'feeUnreadable'; reference: string; orderId: string; fees: readonly string[] }
  /** A payment's money came 15 minutes ago or longer, and the service has not confirmed it yet. Told once a payment. */
  | { type: 'confirmationLate'; reference: string; orderId: string; since: string }
  /** The service reports a payment as reversed that was never seen to be paid. It is verified on. Once a payment. */
  | { type: 'reversedUnpaid'; reference: string; orderId: string }
  /** A response of the service contradicts what is recorded, and was not believed. The same one is logged once. */
  | { type: 'responseIgnored'; reference: string; reason: IgnoredReason; status: string; updatedAt: string }
  /**
   * The service says that it is asked too much: no instance verifies for this long, in milliseconds, and all together at
   * this rate from then on.
   */
  | { type: 'serviceLimited'; pauseMs: number; ratePerSecond: number }
  /** A handler has ended well. */
  | ({ type: 'handlerSucceeded' } & OutboxEventNames)
  /** A handler has failed; it is called again after `retryAfterMs`, and not at all where that is `null`. */
  | ({ type: 'handlerFailed'; retryAfterMs: number | null; error: unknown } & OutboxEventNames)
  /** The checkout was stopped, or its round of `reconcile` ended, while a handler ran: it is called again by whoever comes next. */
  | ({ type: 'handlerInterrupted' } & OutboxEventNames)
  /** A handler has failed too often: a person decides. */
  | ({ type: 'deadLettered'; error: unknown } & OutboxEventNames)
  /** Another instance has taken an effect over while its handler ran here. */
  | ({ type: 'leaseLost' } & OutboxEventNames)
  | { type: 'leaseNotRenewed'; key: string; error: unknown }
  /** What runs in the background has failed, the store as a rule; it is tried again. */
  | { type: 'backgroundFailed'; error: unknown }
  /** The store did not answer a question of a monitor or a balancer. */
  | { type: 'storeFailed'; error: unknown }
  /** A limit could not be counted, and so let the request pass; or `clientKey` threw. */
  | { type: 'limiterFailed'; limit: string; error: unknown }
  /** Payments of orders that are long over were deleted; see `purgeAfterDays`. */
  | { type: 'purged'; payments: number }
  | { type: 'busFailed'; error: unknown }
  | { type: 'busDown' }
  | { type: 'busUp' }
  /** `stop` was called: readiness is withdrawn, and who waits is answered. */
  | { type: 'stopped' };

export type LogLevel = 'info' | 'warn' | 'error';

/** A line of the log. The types are a closed list, which may grow. */
export type LogEntry = Readonly<{ level: LogLevel } & LogEvent>;
