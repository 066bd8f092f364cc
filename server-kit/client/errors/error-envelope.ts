import * as v from 'valibot';

/** The documented values of `error.type`. The service may add others. */
export type ErrorType = 'api_error' | 'authentication_error' | 'idempotency_error' | 'invalid_request_error';

/** Interface, section 7: the body of every error of the service. */
export const ErrorEnvelope = v.looseObject({
  error: v.looseObject({
    type: v.fallback(v.string(), 'api_error'),
    code: v.fallback(v.string(), 'unknown'),
    message: v.fallback(v.string(), ''),
    /** The parameters at fault. */
    params: v.fallback(v.array(v.string()), []),
  }),
});
export type ErrorEnvelope = v.InferOutput<typeof ErrorEnvelope>;
