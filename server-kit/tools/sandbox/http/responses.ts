import type { ErrorEnvelope } from '../../../core/errors.ts';
import { SandboxError } from '../errors.ts';

/** A response before it becomes a `Response`. `body` is a JSON value; `undefined` for none. */
export type JsonResponse = {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Whether the text of the body stops in the middle. */
  isCutOff?: boolean;
};

/** No response: the connection breaks, and in process `fetch` rejects with `reason`. */
export type BrokenConnection = { status: null; reason: unknown };

/** Returns the error envelope of a thrown value: 500 `internal_error` for all but a `SandboxError`. */
export function toErrorResponse(error: unknown): JsonResponse {
  if (!(error instanceof SandboxError)) return toErrorResponse(internalError(error));
  const { type, code, message, params, status, headers } = error;
  const body: ErrorEnvelope = { error: { type, code, message, params: [...params] } };
  return { status, headers, body };
}

function internalError(error: unknown): SandboxError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The sandbox itself failed; please report it with this text: ${reason}`;
  return new SandboxError('internal_error', message);
}

/** @param nowMs the sandbox's clock: clients read it from `Date` (RFC 9110, section 6.6.1) */
export function toResponse(
  { status, body, headers: extra, isCutOff }: JsonResponse,
  method: string,
  nowMs: number,
): Response {
  const headers = new Headers(extra);
  headers.set('date', new Date(nowMs).toUTCString());
  headers.set('cache-control', 'no-store');
  if (body === undefined) return new Response(null, { status, headers });
  headers.set('content-type', 'application/json');
  const text = JSON.stringify(body);
  const sent = isCutOff ? text.slice(0, text.length / 2) : text;
  return new Response(method === 'HEAD' ? null : sent, { status, headers });
}
