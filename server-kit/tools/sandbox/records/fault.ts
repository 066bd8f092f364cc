import type { Operation } from '../../../service/endpoints.ts';

/** Failures other than an HTTP error status. */
export const faultKinds = ['timeout', 'reset', 'malformed', 'slow'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** An injected fault, as stored and returned. */
export type Fault = {
  id: string;
  /** The endpoint that it affects, or `*` for all. Control calls are never affected. */
  operation: Operation | '*';
  /**
   * An HTTP status with the error envelope; or `timeout`, no response until the client disconnects; `reset`, a cut
   * connection; `malformed`, a 200 with incomplete JSON; `slow`, a late but correct response.
   */
  status: number | FaultKind;
  /** Whether it replaces the operation, or only its response, after the operation was carried out and stored. */
  phase: 'before' | 'after';
  /** How many more requests it affects; `null` for no limit. */
  times: number | null;
  /** The probability, from 0 to 1, that it affects a request; `null` for always. */
  probability: number | null;
  /** How long the request waits first, in real time. */
  latencyMs: number;
  /** `Retry-After` of 429 and 503. */
  retryAfterSeconds: number | null;
};
