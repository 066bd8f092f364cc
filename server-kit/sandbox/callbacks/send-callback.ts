import { abortAfter, joinSignals, raceAbort } from '../../async/wait.ts';
import { describeFetchFailure } from '../../errors/fetch-failure.ts';
import { signCallback } from '../../signing/callbacks.ts';
import { signatureHeaders, toTimestamp } from '../../signing/signature.ts';
import type { AttemptReason, CallbackAttempt, CallbackRecord } from './callback.ts';
import type { CallbackParts } from './parts.ts';

/** How long a receiver may take to answer. */
const callbackTimeoutSeconds = 10;

/**
 * Sends a callback once, signed for this moment. Whatever goes wrong is in the attempt.
 *
 * @param closing breaks it off; then nobody knows what came of it, and there is no attempt
 */
export async function sendCallback(
  callback: CallbackRecord,
  reason: AttemptReason,
  { settings, clock }: Pick<CallbackParts, 'settings' | 'clock'>,
  closing: AbortSignal,
): Promise<CallbackAttempt | undefined> {
  const { apiSecret: secret, dialect } = settings;
  const { url, body } = callback;
  const atMs = clock.now();
  const startedMs = settings.now();
  const timestamp = toTimestamp(atMs);
  const signature = await signCallback({ secret, callbackUrl: url, rawBody: body, timestamp, dialect });
  const limit = abortAfter((ms, ended) => settings.wait(ms, ended, true), callbackTimeoutSeconds * 1000);
  const { signal, release } = joinSignals(limit.signal, closing);
  const init: RequestInit = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'transfer-checkout-sandbox',
      [signatureHeaders.signature]: signature,
      [signatureHeaders.timestamp]: timestamp,
    },
    body,
    // A redirect is no receipt, and what is signed for one address must not go to another.
    redirect: 'manual',
    signal,
  };
  const outcome = await raceAbort(post(settings.fetch, url, init), signal).catch((error: unknown) => ({
    status: null,
    error: limit.signal.aborted ? timedOut : describeFetchFailure(error),
  }));
  limit.cancel();
  release();
  if (closing.aborted && outcome.status === null) return undefined;
  const durationMs = Math.max(0, Math.round(settings.now() - startedMs));
  return { atMs, ...outcome, durationMs, signature, timestamp, reason };
}

const timedOut = `No answer within ${callbackTimeoutSeconds} seconds.`;

type Outcome = Pick<CallbackAttempt, 'status' | 'error'>;

async function post(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Outcome> {
  const response = await fetch(url, init);
  // Nobody reads what the receiver says; unread, it would hold the connection.
  response.body?.cancel().catch(() => {});
  return { status: response.status, error: null };
}
