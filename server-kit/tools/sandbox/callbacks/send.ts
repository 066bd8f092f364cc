import { signatureHeaders, toTimestamp } from '../../../core/signature.ts';
import type { Wait } from '../../../core/time.ts';
import { describeFetchFailure } from '../../../engine/telemetry/error-text.ts';
import { abortAfter, raceAbort } from '../../../engine/wait.ts';
import { signCallback } from '../../../service/signatures.ts';
import type { SandboxSettings } from '../settings/options.ts';
import type { SandboxClock } from '../state/clock.ts';
import type { AttemptReason, CallbackAttempt, CallbackRecord } from './attempts.ts';
import { splitCredentials } from './url-credentials.ts';

const callbackTimeoutSeconds = 10;

/** Signs and sends a callback once, and describes the attempt. There is none if `closing` aborts the request. */
export async function sendCallback(
  callback: CallbackRecord,
  reason: AttemptReason,
  settings: SandboxSettings,
  clock: SandboxClock,
  closing: AbortSignal,
): Promise<CallbackAttempt | undefined> {
  const { apiSecret: secret, dialect } = settings;
  const { url, body } = callback;
  const atMs = clock.now();
  const startedMs = settings.now();
  const timestamp = toTimestamp(atMs);
  const signature = await signCallback({ secret, callbackUrl: url, rawBody: body, timestamp, dialect });
  const wait: Wait = (ms, ended) => settings.wait(ms, ended, true);
  const { signal, end } = abortAfter(wait, callbackTimeoutSeconds * 1000, closing);
  const target = splitCredentials(url);
  const init: RequestInit = {
    method: 'POST',
    headers: {
      ...target.headers,
      'content-type': 'application/json',
      'user-agent': 'transfer-checkout-sandbox',
      [signatureHeaders.signature]: signature,
      [signatureHeaders.timestamp]: timestamp,
    },
    body,
    // A redirect is not a delivery, and the signature is for this address only.
    redirect: 'manual',
    signal,
  };
  const outcome = await raceAbort(post(settings.fetch, target.url, init), signal).catch((error: unknown) => ({
    status: null,
    error: signal.aborted ? timedOut : describeFetchFailure(error),
  }));
  end();
  if (closing.aborted && outcome.status === null) return undefined;
  const durationMs = Math.max(0, Math.round(settings.now() - startedMs));
  return { atMs, ...outcome, durationMs, signature, timestamp, reason };
}

const timedOut = `No response within ${callbackTimeoutSeconds} seconds.`;

type Outcome = Pick<CallbackAttempt, 'status' | 'error'>;

async function post(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Outcome> {
  const response = await fetch(url, init);
  // An unread body would hold the connection.
  response.body?.cancel().catch(() => {});
  return { status: response.status, error: null };
}
