import {
  type EarlyRequest,
  readResponse,
  requestInit,
  type SessionRequest,
  sessionHeaders,
  sessionRequestKey,
  sessionUrl,
} from '../core/http.ts';
import { listStored } from '../core/storage.ts';
import { type CheckoutOptions, resolveOrder, validateOptions } from '../options/options.ts';
import { fetchFromPage } from '../widget/dom/browser-environment.ts';
import { isPrerendered, readReference } from '../widget/dom/page.ts';
import { siteStorage } from '../widget/dom/site-storage.ts';

export type EarlySession = {
  readonly key: string;
  /** Hands over the request to one reader of its response; returns undefined after that. */
  readonly take: () => EarlyRequest | undefined;
};

/**
 * Returns a function that sends the session request for these options before the widget is loaded. Equal requests share one until
 * its response is taken. The function returns undefined, and leaves the request to the widget:
 *
 * - when the address names a payment: it may be resumed instead
 * - when the options contain a session, or are invalid
 * - while the page is prerendered: the shopper may never visit it
 */
export function createEarlySessions(): (options: CheckoutOptions) => EarlySession | undefined {
  const pending = new Map<string, EarlySession>();
  return (options) => {
    const request = canSendEarly() ? earlyRequestOf(options) : undefined;
    if (!request) return undefined;
    const key = sessionRequestKey(request);
    const existing = pending.get(key);
    if (existing) return existing;
    let sent: EarlyRequest | undefined = send(request);
    const forget = (): void => void pending.delete(key);
    // The reader of the response handles a failure, and the next try sends another request.
    sent.response.then(({ response }) => response.ok || forget(), forget);
    const early: EarlySession = {
      key,
      take() {
        forget();
        const taken = sent;
        sent = undefined;
        return taken;
      },
    };
    pending.set(key, early);
    return early;
  };
}

/** Returns the session request that the widget will send for these options; undefined where it will send none. */
export function earlyRequestOf(given: CheckoutOptions): SessionRequest | undefined {
  try {
    const options = validateOptions(given);
    return options.session ? undefined : resolveOrder(options);
  } catch {
    // The widget reports the invalid option.
    return undefined;
  }
}

const canSendEarly = (): boolean => !isPrerendered() && readReference() === undefined;

function send(request: SessionRequest): EarlyRequest {
  const controller = new AbortController();
  const { credentials, body, baseUrl } = request;
  const headers = sessionHeaders(listStored(siteStorage, baseUrl));
  const init = requestInit({ method: 'POST', headers, body, credentials, signal: controller.signal });
  const response = fetchFromPage(sessionUrl(request), init).then(async (arrived) => ({
    arrivedAtMs: performance.now(),
    ...(await readResponse(arrived)),
  }));
  return { response, abort: () => controller.abort() };
}
