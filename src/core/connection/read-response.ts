import * as v from 'valibot';
import { contractHeaders } from '../../contract/routes.ts';
import type { ReadResponse } from './request-init.ts';
import { invalidResponse, parseNumber } from './send-request.ts';

/** The times of a response of the checkout server, in milliseconds. */
export type ResponseTimes = {
  /** The service's clock, since the epoch. */
  readonly serviceTimeMs: number | undefined;
  /** When an early response arrived, on the monotonic clock. */
  readonly arrivedAtMs?: number | undefined;
};

export type CheckoutResponse<T> = ResponseTimes & {
  readonly value: T;
  readonly etag: string | undefined;
  /** Milliseconds until the next poll. */
  readonly nextPollMs: number | undefined;
};

/** Returns what the headers of a response about a payment say. */
export const readHeaders = ({
  response: { headers },
  arrivedAtMs,
}: ReadResponse): Omit<CheckoutResponse<unknown>, 'value'> => ({
  etag: headers.get('etag') ?? undefined,
  serviceTimeMs: parseNumber(headers.get(contractHeaders.serviceTime)),
  nextPollMs: parseNumber(headers.get(contractHeaders.nextPoll)),
  arrivedAtMs,
});

/**
 * Parses the JSON body of a response.
 *
 * @throws {CheckoutError} `invalid_response`, naming the invalid field and never its value
 */
export function parseBody<const T extends v.GenericSchema>(
  schema: T,
  { json }: ReadResponse,
): v.InferOutput<T> {
  if (json === undefined) throw invalidResponse('is not JSON');
  const { success, output, issues } = v.safeParse(schema, json);
  if (success) return output;
  // Not the issue's own message: that would quote the value.
  throw invalidResponse(`has no valid "${issues[0].path?.map(({ key }) => key).join('.')}"`);
}
