import { CheckoutError, type PaymentView, type Session } from '../../../src/contract/index.ts';
import { nextStep, openingLeaseMs, type SessionRequest } from '../order/next-step.ts';
import { isSameAmount, newOrder, type Order, type ShownPayment } from '../order/record.ts';
import { type OrderRequest, qrTextOf } from '../order/request.ts';
import { view } from '../order/view.ts';
import type { Stored } from '../store.ts';
import { abortAfter, raceAbort, resolveWithin } from '../wait.ts';
import type { Engine } from './engine.ts';
import { type Openings, openPayment, type PaymentKind } from './open-payment.ts';
import { maxLostWrites, writesAreLost } from './records.ts';

/** Which payment of an order a page gets. */
export type PaymentChoice = Pick<SessionRequest, 'named' | 'preference'> & { kind: PaymentKind };

/** An order's payment. `created`: it was opened by this request. */
export type OrderPayment = { order: Order; payment: ShownPayment; created: boolean };

/** A session with the page that the shopper must be sent to. */
export type PaymentLink = Session & {
  /**
   * The service's page on which the order is paid. Where the order already has an account, or is paid, it is the order's
   * `returnUrl` instead; that page shows the payment's status (`resume`).
   */
  authorizationUrl: string;
};

/** A request ends after this time, with everything that it has begun: before its lease, so that nothing alive is taken over. */
const deadlineMs = 14_000;

/** The longest that a shopper whose account is known waits for verifications. */
const patienceMs = 4000;

/**
 * Returns the order's payment that a page gets, its view, and what else its session has. Logs that the order costs another amount than that of the payment that has paid it, or may hold its money.
 *
 * @throws {CheckoutError} as `openSession`; `service_unavailable` within 15 seconds
 */
export async function getOrCreateSession(
  engine: Engine,
  request: OrderRequest,
  choice: PaymentChoice,
): Promise<OrderPayment & { view: PaymentView; more: Pick<Session, 'orderAmount' | 'qrText'> }> {
  const { wait, log } = engine;
  const deadline = abortAfter(wait, deadlineMs);
  const patience = abortAfter(wait, patienceMs, deadline.signal);
  const limits = { deadline: deadline.signal, patience: patience.signal };
  const opened = await raceAbort(openSession(engine, request, choice, limits), limits.deadline)
    .catch((error: unknown) => {
      throw error === limits.deadline.reason ? takesLong() : error;
    })
    .finally(deadline.end);
  const shown = view(opened.order, opened.payment);
  const { reference, paymentReference = reference, amount } = shown;
  if (isSameAmount(amount, request.amount)) return { ...opened, view: shown, more: qrTextOf(request, shown) };
  const { orderId, amount: price } = request;
  const orderAmount = { value: price.value, currency: price.currency };
  log({ type: 'orderAmountChanged', reference: paymentReference, orderId, amount, orderAmount });
  return { ...opened, view: shown, more: { orderAmount } };
}

const takesLong = (): CheckoutError =>
  new CheckoutError('service_unavailable', 'The payment is taking longer than usual; try again.', {
    retryAfterSeconds: 3,
  });

export const toLink = (session: Session, returnUrl: string): PaymentLink => ({
  ...session,
  authorizationUrl: session.authorizationUrl ?? returnUrl,
});

/** While another request opens the payment; nothing may announce its end. */
const rereadMs = 250;

/** Decisions without evidence: enough for one node of the service that is behind. */
const maxUndecided = 2;

/** When a request ends, and until when it waits for verifications that no decision needs. */
type Limits = { deadline: AbortSignal; patience: AbortSignal };

/** What one request has verified so far, and the tries that it has used. */
type Run = Limits &
  Openings & { tried: Set<string>; verified: Set<string>; undecided: number; lostWrites: number };

/**
 * Returns the order's payment that a page gets, and opens one if `nextStep` says so. Several instances may run this at once: each step
 * starts from what is stored, and every write is a compare-and-set.
 *
 * @throws {CheckoutError} `service_unavailable`, `service_rejected`, `internal_error`; `session_unknown` if the page prefers an existing
 *   payment and names none of the order; `invalid_options` as `LiveMode` does; the deadline's reason
 */
async function openSession(
  engine: Engine,
  request: OrderRequest,
  { kind, named, preference }: PaymentChoice,
  limits: Limits,
): Promise<OrderPayment> {
  const started = { undecided: 0, lost: 0, lostWrites: 0, opened: undefined };
  const run: Run = { ...limits, ...started, tried: new Set(), verified: new Set() };
  const { store, records, liveMode, client, createReference } = engine;
  const { orderId, amount } = request;
  let stored: Stored<Order | null> | undefined;
  for (;;) {
    run.deadline.throwIfAborted();
    stored ??= await store.find({ orderId });
    const { storeNow } = stored;
    const order = stored.record ?? newOrder(orderId);
    liveMode.checkOrder(order);
    const lease = { endsAtMs: storeNow + openingLeaseMs };
    const facts = { ...run, storeNow, serviceNow: client.serviceNow() };
    const step = nextStep(order, { amount, named, preference, lease, reference: createReference() }, facts);
    switch (step.name) {
      case 'show':
        return { order, payment: step.payment, created: step.payment.reference === run.opened };
      case 'refuse':
        throw unknownSession();
      case 'wait':
        // Nothing will have happened to it yet.
        run.tried.add(step.reference);
        await untilNews(engine, step.reference, run.deadline);
        stored = undefined;
        break;
      case 'verify':
        await (step.isForDecision ? verifyNow : verifyPatiently)(engine, step.references, run);
        stored = undefined;
        break;
      case 'open': {
        const { reference, mayExist } = step;
        const taken = await records.save(stored, step.order);
        if (taken === undefined && ++run.lostWrites === maxLostWrites)
          throw writesAreLost(`order ${orderId}`);
        stored =
          taken &&
          (await openPayment(engine, kind, request, { stored: taken, reference, lease, mayExist }, run));
        // Nothing can have happened to it yet.
        if (run.opened !== undefined) run.tried.add(run.opened);
      }
    }
  }
}

const unknownSession = (): CheckoutError =>
  new CheckoutError(
    'session_unknown',
    'This browser knows no payment of the order; request the session without payment=existing.',
  );

/** Waits until any instance has written the order of this payment, or it is time to read it again. */
async function untilNews({ changes, wait }: Engine, reference: string, deadline: AbortSignal): Promise<void> {
  let unsubscribe = (): void => {};
  const news = new Promise<void>((hear) => {
    unsubscribe = changes.subscribe((named) => {
      if (named === undefined || named === reference) hear();
    });
  });
  await resolveWithin(wait, rereadMs, news, deadline).finally(unsubscribe);
}

/** Where the account is known anyway, a verification that fails, or takes long, does not matter. */
async function verifyPatiently(
  { verifier, log }: Engine,
  references: readonly string[],
  { tried, patience }: Run,
): Promise<void> {
  const verifyOne = async (reference: string): Promise<void> => {
    tried.add(reference);
    await raceAbort(verifier.verify(reference), patience).catch((error: unknown) => {
      if (error !== patience.reason) log({ type: 'verificationFailed', reference, error });
    });
  };
  await Promise.all(references.map(verifyOne));
}

/** @throws {CheckoutError} if one of them cannot be verified, or the service gives no evidence */
async function verifyNow({ verifier }: Engine, references: readonly string[], run: Run): Promise<void> {
  const verifyOne = async (reference: string): Promise<void> => {
    const { isEvidence } = await verifier.verifyNow(reference, run.deadline);
    if (isEvidence) run.verified.add(reference);
  };
  // All end before this does, so that none continues for a decision that was given up.
  const settled = await Promise.allSettled(references.map(verifyOne));
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  const isDecided = references.every((reference) => run.verified.has(reference));
  if (!isDecided && ++run.undecided === maxUndecided) {
    const message = 'The payments service responded with outdated data; try again.';
    throw new CheckoutError('service_unavailable', message, { retryAfterSeconds: 3 });
  }
}
