import type { ErrorEnvelope } from '../../errors/error-envelope.ts';
import { SandboxError } from '../errors/sandbox-error.ts';

/** An answer before it becomes a `Response`. `body` is a JSON value, or `undefined` for none. */
export type Answer = {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Whether the text of the body breaks off in the middle. */
  isCutOff?: boolean;
};

/** No answer at all: the connection breaks, in process by `fetch` rejecting with `brokenBy`. */
export type BrokenOff = { status: null; brokenBy: unknown };

/** The answer for whatever was thrown. What the sandbox did not foresee becomes a 500, never a crash. */
export function answerError(error: unknown): Answer {
  if (!(error instanceof SandboxError)) return answerError(unforeseen(error));
  const { type, code, message, params, status, headers } = error;
  const body: ErrorEnvelope = { error: { type, code, message, params: [...params] } };
  return { status, headers, body };
}

function unforeseen(error: unknown): SandboxError {
  const said = error instanceof Error ? error.message : String(error);
  const message = `The sandbox itself failed; please report it with this text: ${said}`;
  return new SandboxError('internal_error', message);
}

/**
 * An answer that cannot be written as one text, such as a list of a gigabyte, becomes a 500.
 *
 * @param nowMs the sandbox's clock: clients learn it from `Date` (RFC 9110, section 6.6.1)
 */
export function toResponse(answer: Answer, method: string, nowMs: number): Response {
  try {
    return writeResponse(answer, method, nowMs);
  } catch (error) {
    return writeResponse(answerError(error instanceof RangeError ? tooLong() : error), method, nowMs);
  }
}

const tooLong = (): SandboxError =>
  new SandboxError('internal_error', 'The answer is too long for one text; keep fewer or smaller records.');

function writeResponse(answer: Answer, method: string, nowMs: number): Response {
  const headers = new Headers(answer.headers);
  headers.set('date', new Date(nowMs).toUTCString());
  headers.set('cache-control', 'no-store');
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers });
  headers.set('content-type', 'application/json');
  const text = JSON.stringify(answer.body);
  const sent = answer.isCutOff ? text.slice(0, text.length / 2) : text;
  return new Response(method === 'HEAD' ? null : sent, { status: answer.status, headers });
}
