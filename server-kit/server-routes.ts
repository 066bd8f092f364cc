import { CheckoutError } from '../src/contract/index.ts';
import type { Background } from './background.ts';
import type { Bus } from './buses/bus.ts';
import type { EffectRunner } from './effect-runner.ts';
import { equalInConstantTime } from './hmac.ts';
import type { PlainRequest, PlainResponse } from './plain-http.ts';
import { answerHeaders, bearerToken } from './problem.ts';
import { type CallbackEvent, type ReceiveCallbackOptions, receiveCallback } from './receive-callback.ts';
import type { Reconciler } from './reconciler.ts';
import { SignatureError, signatureHeaders } from './signature.ts';
import { abortAfter, raceAbort, type Wait } from './wait.ts';

/** A payment fits many times over. */
const maxBodyBytes = 64 * 1024;

/** How long a caller of reconcile waits for handlers; they go on afterwards. */
const patienceMs = 20_000;

export type ServerRoutesOptions = ReceiveCallbackOptions & {
  bus: Bus;
  background: Background;
  reconciler: Reconciler;
  runner: EffectRunner;
  reconcileKey: string | undefined;
  onCallback: (event: CallbackEvent) => unknown;
  wait: Wait;
  report: (error: unknown) => void;
};

/**
 * `POST …/callbacks`: 204 for whatever the service has signed, at once; the work comes after it.
 *
 * @throws {CheckoutError} `session_unauthorized` for what it has not signed
 */
export async function postCallback(
  options: ServerRoutesOptions,
  request: PlainRequest,
): Promise<PlainResponse> {
  const event = await receiveCallback(options, {
    rawBody: await request.readText(maxBodyBytes),
    signature: request.header(signatureHeaders.signature),
    timestamp: request.header(signatureHeaders.timestamp),
  }).catch((cause: unknown) => {
    if (!(cause instanceof SignatureError)) throw cause;
    throw new CheckoutError('session_unauthorized', cause.message, { cause });
  });
  if (event.action !== 'ignored') options.background.reconcileSoon();
  if (event.reference !== undefined) options.bus.publish(event.reference);
  announce(options, event);
  return { status: 204, headers: { ...answerHeaders }, body: undefined };
}

/** What the merchant's hook throws is no fault of the callback. */
function announce({ onCallback, report }: ServerRoutesOptions, event: CallbackEvent): void {
  const tell = async () => onCallback(event);
  tell().catch(report);
}

/**
 * `POST …/reconcile`: 200 with `ReconcileCounts`, after one run of the reconciler and of the handlers that are due. Call it
 * every few seconds or minutes, and again at once while `hasMore`.
 *
 * @throws {CheckoutError} `not_found` where there is no key, `session_unauthorized` for a wrong one
 */
export async function postReconcile(
  options: ServerRoutesOptions,
  request: PlainRequest,
): Promise<PlainResponse> {
  const { reconcileKey, reconciler, runner, wait } = options;
  if (reconcileKey === undefined) {
    throw new CheckoutError('not_found', 'There is nothing here; createCheckout has no reconcileKey.');
  }
  if (!equalInConstantTime(bearerToken(request), reconcileKey)) {
    throw new CheckoutError('session_unauthorized', 'Send the reconcileKey as Authorization: Bearer.');
  }
  const counts = await reconciler.runOnce();
  runner.runSoon();
  const { signal, cancel } = abortAfter(wait, patienceMs);
  await raceAbort(runner.settled(), signal).catch(() => {});
  cancel();
  const headers = { ...answerHeaders, 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(counts) };
}
