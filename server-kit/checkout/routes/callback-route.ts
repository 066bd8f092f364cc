import { CheckoutError } from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import { SignatureError, signatureHeaders } from '../../client/signing/signature.ts';
import type { PlainRequest, PlainResponse } from '../../http/plain-http.ts';
import type { SignedCallback } from '../shell/receive-callback.ts';
import type { Log } from '../telemetry/log.ts';
import type { CallbackEvent } from '../telemetry/log-event.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';
import { emptyResponse } from './responses.ts';

export type CallbackRouteOptions = {
  receive: (signed: SignedCallback) => Promise<CallbackEvent>;
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
  { receive, limits, wait, log }: CallbackRouteOptions,
  request: PlainRequest,
): Promise<PlainResponse> {
  const event = await receive({
    rawBody: await readBody(request, wait),
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
  log({ type: 'callback', ...event });
  return emptyResponse();
}
