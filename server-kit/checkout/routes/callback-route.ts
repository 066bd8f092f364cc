import { CheckoutError } from '../../../src/contract/index.ts';
import { readBody } from '../../client/http/body.ts';
import type { PlainRequest, PlainResponse } from '../../client/http/plain-http.ts';
import { emptyResponse } from '../../client/http/responses.ts';
import { SignatureError, signatureHeaders } from '../../client/signing/signature.ts';
import { receiveCallback } from '../shell/receive-callback.ts';
import type { RouteParts } from './parts.ts';

/**
 * `POST …/callbacks`: 204 at once for everything that the service has signed; the work follows.
 *
 * @throws {CheckoutError} `callback_unauthorized` for an invalid signature
 */
export async function postCallback(parts: RouteParts, request: PlainRequest): Promise<PlainResponse> {
  const { limits, wait, log } = parts;
  const event = await receiveCallback(parts, {
    rawBody: await readBody(request, wait),
    signature: request.header(signatureHeaders.signature),
    timestamp: request.header(signatureHeaders.timestamp),
    // Keeps forgeries away from the store. A callback signed for an earlier address is refused during a flood; the service
    // sends it again.
    countFailure: () => limits.take('reads', limits.clientOf(request) ?? 'callbacks'),
  }).catch((cause: unknown) => {
    if (!(cause instanceof SignatureError)) throw cause;
    log({ type: 'callbackRefused', reason: cause.code });
    throw new CheckoutError('callback_unauthorized', cause.message, { cause });
  });
  log({ type: 'callback', ...event });
  return emptyResponse();
}
