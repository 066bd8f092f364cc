import * as v from 'valibot';
import { wireObject } from './wire-object.ts';

/** The media type of error responses (RFC 9457). */
export const problemMediaType = 'application/problem+json';

/** The body of error responses (RFC 9457, section 3). */
export const Problem = wireObject({
  type: v.optional(v.string()),
  title: v.optional(v.string()),
  status: v.optional(v.number()),
  /** A `CheckoutErrorCode`. */
  code: v.string(),
  /** The developer's message: what happened and what to do. */
  detail: v.optional(v.string()),
});
export type Problem = v.InferOutput<typeof Problem>;
