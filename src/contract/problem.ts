import * as v from 'valibot';

/** The media type of every error answer (RFC 9457). */
export const problemMediaType = 'application/problem+json';

/** The body of every error answer (RFC 9457, section 3), with a code of the closed list. */
export const Problem = v.object({
  type: v.optional(v.string()),
  title: v.optional(v.string()),
  status: v.optional(v.number()),
  /** A `CheckoutErrorCode`. */
  code: v.string(),
  /** What happened and what to do, for a developer. */
  detail: v.optional(v.string()),
});
export type Problem = v.InferOutput<typeof Problem>;
