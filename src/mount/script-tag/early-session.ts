import {
  commonInit,
  keyOf,
  type SentRequest,
  type SessionRequest,
  sessionPost,
  sessionUrl,
  versionHeader,
} from '../../core/session/session-request.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { storageName } from '../options/storage-name.ts';
import { plainRequestOf } from './early-request.ts';

/** A session that is asked for while the widget is on its way. */
export type EarlySession = {
  /** What was asked for; see `keyOf`. */
  readonly key: string;
  /** Gives the request to who reads its response; undefined when somebody has it already. */
  readonly take: () => SentRequest | undefined;
};

/**
 * Sends requests for sessions before the widget is there, each once: as long as nobody has taken a response, the same order gets the
 * same request. Undefined where nothing is sent early, and the widget decides what to do:
 *
 * - where a payment is stored, or the address names one: there may be nothing to ask for
 * - where the options hold a session, or cannot be checked here
 * - while the page is prerendered: an account must not be made by looking at a link
 */
export function createEarlySessions(): (options: CheckoutOptions) => EarlySession | undefined {
  const waiting = new Map<string, EarlySession>();
  return (options) => {
    const request = mayBeEarly() ? plainRequestOf(options) : undefined;
    if (!request) return undefined;
    const key = keyOf(request);
    const before = waiting.get(key);
    if (before) return before;
    let sent: SentRequest | undefined = send(request);
    const early: EarlySession = {
      key,
      take() {
        waiting.delete(key);
        const given = sent;
        sent = undefined;
        return given;
      },
    };
    waiting.set(key, early);
    return early;
  };
}

function mayBeEarly(): boolean {
  const { prerendering } = document as { prerendering?: boolean };
  return !prerendering && !isAnyStored() && !new URLSearchParams(location.search).has('reference');
}

function isAnyStored(): boolean {
  try {
    return !!localStorage.getItem(storageName);
  } catch {
    // Blocked: nothing can be stored.
    return false;
  }
}

function send(request: SessionRequest): SentRequest {
  const controller = new AbortController();
  const { credentials = 'same-origin', body } = request;
  const response = fetch(sessionUrl(request), {
    ...commonInit,
    ...sessionPost,
    headers: { ...sessionPost.headers, ...versionHeader },
    body,
    credentials,
    signal: controller.signal,
  }).then((arrived) => ({ response: arrived, arrivedAtMs: performance.now() }));
  // Who takes it hears of a failure.
  response.catch(() => {});
  return { response, abort: () => controller.abort() };
}
