import { CheckoutError } from '../../src/contract/index.ts';
import type { Wait } from '../async/wait.ts';
import type { Bus } from '../buses/bus.ts';
import type { PlainRequest, PlainResponse } from '../http/plain-http.ts';
import { SignatureError, signatureHeaders } from '../signing/signature.ts';
import type { Log } from '../telemetry/log.ts';
import type { Background } from '../verification/background.ts';
import { type ReceiveCallbackOptions, receiveCallback } from '../verification/receive-callback.ts';
import { requireReconcileKey } from './access/reconcile-key.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';
import { answerHeaders } from './response-headers.ts';

export type ServerRoutesOptions = ReceiveCallbackOptions & {
  bus: Bus;
  background: Background;
  reconcileKey: string | undefined;
  limits: RequestLimits;
  wait: Wait;
  log: Log;
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
  const { limits, log } = options;
  const event = await receiveCallback(options, {
    rawBody: await readBody(request, options.wait),
    signature: request.header(signatureHeaders.signature),
    timestamp: request.header(signatureHeaders.timestamp),
    // A flood of forgeries costs no more than the HMAC. A callback that the service has signed for our address is never
    // refused. One that it has signed for an earlier address needs a look into the store: during a flood it is refused, and
    // the service sends it again later.
    countFailure: () => limits.take('failuresPerClient', limits.clientOf(request) ?? 'callbacks'),
  }).catch((cause: unknown) => {
    if (!(cause instanceof SignatureError)) throw cause;
    log({ type: 'callbackRefused', reason: cause.code });
    throw new CheckoutError('session_unauthorized', cause.message, { cause });
  });
  if (event.action !== 'ignored') options.background.reconcileSoon();
  if (event.reference !== undefined) options.bus.publish(event.reference);
  log({ type: 'callback', ...event });
  return { status: 204, headers: { ...answerHeaders }, body: undefined };
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
  await requireReconcileKey(options, request);
  const counts = await options.background.runRound();
  const headers = { ...answerHeaders, 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(counts) };
}
