import { routes } from '../contract/routes.ts';
import {
  type EarlyRequest,
  readResponse,
  requestInit,
  type SessionRequest,
  sessionHeaders,
  sessionRequestKey,
} from '../core/http.ts';
import { listStored } from '../core/storage.ts';
import { type CheckoutOptions, resolveOrder, validateOptions } from '../options/options.ts';
import { fetchFromPage } from '../widget/dom/browser-environment.ts';
import { isPrerendered, readReference } from '../widget/dom/page.ts';
import { siteStorage } from '../widget/dom/site-storage.ts';

export type EarlySession = ReturnType<typeof send>;

/**
 * Returns a function that sends the session request for these options before the widget is loaded, unless the widget itself may not
 * send it. Equal requests share one until its response is taken.
 */
export function createEarlySessions(): (options: CheckoutOptions) => EarlySession | undefined {
  const pending = new Map<string, EarlySession>();
  return (options) => {
    // The shopper may never visit a prerendered page. A payment that the address names may be resumed instead.
    const request = isPrerendered() || readReference() !== undefined ? undefined : earlyRequestOf(options);
    if (!request) return undefined;
    const key = sessionRequestKey(request);
    const early = pending.get(key) ?? send(request, key, () => void pending.delete(key));
    pending.set(key, early);
    return early;
  };
}

export function earlyRequestOf(given: CheckoutOptions): SessionRequest | undefined {
  try {
    const options = validateOptions(given);
    return options.session ? undefined : resolveOrder(options);
  } catch {
    // The widget reports the invalid option.
    return undefined;
  }
}

function send({ credentials, body, baseUrl }: SessionRequest, key: string, forget: () => void) {
  const stored = listStored(siteStorage, baseUrl);
  const controller = new AbortController();
  const headers = sessionHeaders(stored);
  const init = requestInit({ method: 'POST', headers, body, credentials, signal: controller.signal });
  const response = fetchFromPage(baseUrl + routes.sessions, init).then(async (arrived) => ({
    arrivedAtMs: performance.now(),
    ...(await readResponse(arrived)),
  }));
  // The reader of the response handles a failure, and the next try sends another request.
  response.then((arrived) => arrived.response.ok || forget(), forget);
  let sent: EarlyRequest | undefined = { response, abort: () => controller.abort() };
  return {
    key,
    /** This browser has opened no payment at this server yet. */
    isFirst: stored.length === 0,
    response,
    take(): EarlyRequest | undefined {
      forget();
      const taken = sent;
      sent = undefined;
      return taken;
    },
  };
}
