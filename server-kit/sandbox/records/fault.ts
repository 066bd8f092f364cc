import type { Operation } from '../../api/endpoints.ts';

/** What goes wrong other than by an HTTP status. */
export const faultKinds = ['timeout', 'reset', 'malformed', 'slow'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault made on purpose, as it is kept and shown. */
export type Fault = {
  id: string;
  /** The endpoint that it hits, or `*` for all. Never a control call. */
  operation: Operation | '*';
  /**
   * An HTTP status, answered with the error envelope; or `timeout`, no answer until the client goes; `reset`, the
   * connection is cut; `malformed`, a 200 whose JSON breaks off; `slow`, the right answer, late.
   */
  status: number | FaultKind;
  /** Whether it hits instead of the operation, or after that was carried out and kept. */
  phase: 'before' | 'after';
  /** How many requests it will still hit; `null` for as long as it is there. */
  times: number | null;
  /** How probable it is, from 0 to 1, that it hits a request; `null` for always. */
  probability: number | null;
  /** How long the request waits first, in milliseconds of real time. */
  latencyMs: number;
  /** What 429 and 503 say in `Retry-After`. */
  retryAfterSeconds: number | null;
};
