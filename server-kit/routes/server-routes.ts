import { CheckoutError } from '../../src/contract/index.ts';
import type { Wait } from '../async/wait.ts';
import type { PlainRequest, PlainResponse } from '../http/plain-http.ts';
import { SignatureError, signatureHeaders } from '../signing/signature.ts';
import type { Log } from '../telemetry/log.ts';
import type { Background } from '../verification/background.ts';
import { type ReceiveCallbackOptions, receiveCallback } from '../verification/receive-callback.ts';
import { requireReconcileKey } from './access/reconcile-key.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';
import { emptyResponse, jsonResponse } from './responses.ts';

export type ServerRoutesOptions = ReceiveCallbackOptions & {
  background: Background;
  reconcileKey: string | undefined;
  limits: RequestLimits;
  wait: Wait;
  log: Log;
};

/**
 * `POST …/callbacks`: 204 at once for everything that the service has signed; the work follows.
 *
 * @throws {CheckoutError} `callback_unauthorized` for an invalid signature
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
    // Keeps forgeries away from the store. A callback signed for an earlier address is refused during a flood; the service
    // sends it again.
    countFailure: () => limits.take('failuresPerClient', limits.clientOf(request) ?? 'callbacks'),
  }).catch((cause: unknown) => {
    if (!(cause instanceof SignatureError)) throw cause;
    log({ type: 'callbackRefused', reason: cause.code });
    throw new CheckoutError('callback_unauthorized', cause.message, { cause });
  });
  if (event.action !== 'ignored') options.background.reconcileSoon();
  log({ type: 'callback', ...event });
  return emptyResponse();
}

/**
 * `POST …/reconcile`: 200 with `ReconcileCounts`, after one run of the reconciler and of the handlers that are due. Call it
 * every few seconds or minutes, and again at once while `hasMore`.
 *
 * @throws {CheckoutError} `not_found` if no key is configured, `session_unauthorized` for a wrong one
 */
export async function postReconcile(
  options: ServerRoutesOptions,
  request: PlainRequest,
): Promise<PlainResponse> {
  await requireReconcileKey(options, request);
  return jsonResponse(200, await options.background.runRound());
}
