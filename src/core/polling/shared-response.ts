import * as v from 'valibot';
import { PaymentView, wireObject } from '../../contract/index.ts';
import type { CheckoutResponse } from '../session/send-request.ts';

/** A response as shared among tabs, without the secret. */
const SharedResponse = wireObject({
  view: v.optional(PaymentView),
  etag: v.optional(v.string()),
  serviceTimeMs: v.optional(v.number()),
  /** Milliseconds until the next shared response is expected. */
  quietMs: v.number(),
});
export type SharedResponse = v.InferOutput<typeof SharedResponse>;

export function toSharedResponse(
  { value, etag, serviceTimeMs }: CheckoutResponse<PaymentView | undefined>,
  quietMs: number,
): SharedResponse {
  return { view: value, etag, serviceTimeMs, quietMs };
}

/** Parses a shared response; returns `undefined` for another message, or another payment. */
export function parseSharedResponse(
  message: unknown,
  reference: string,
): { response: CheckoutResponse<PaymentView | undefined>; quietMs: number } | undefined {
  const { success, output } = v.safeParse(SharedResponse, message);
  if (!success || (output.view && output.view.reference !== reference)) return undefined;
  const { view, etag, serviceTimeMs, quietMs } = output as SharedResponse;
  return { response: { value: view, etag, serviceTimeMs, nextPollMs: undefined }, quietMs };
}
