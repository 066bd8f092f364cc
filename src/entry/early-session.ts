import { type EarlyRequest, readJson, requestInit, versionHeader } from '../core/connection/request-init.ts';
import { listStored } from '../core/session/payment-storage.ts';
import {
  type SessionRequest,
  sessionHeaders,
  sessionRequestKey,
  sessionUrl,
} from '../core/session/session-request.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { resolveOrder } from '../options/order-options.ts';
import { validateOptions } from '../options/validate-options.ts';
import { fetchFromPage } from '../widget/dom/browser-environment.ts';
import { isPrerendered, readReference } from '../widget/dom/page.ts';
import { siteStorage } from '../widget/dom/site-storage.ts';

/** A session request that was sent while the widget loads. */
export type EarlySession = {
  /** Identifies the request; see `sessionRequestKey`. */
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
    const early: EarlySession = {
      key,
      take() {
        pending.delete(key);
        const taken = sent;
        sent = undefined;
        return taken;
      },
    };
    pending.set(key, early);
    return early;
  };
}

/**
 * Returns the session request that the widget will send for these options, or undefined where it will send none: no account may be
 * created for a checkout that cannot be shown, or that has a session.
 */
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
  const { credentials = 'same-origin', body, baseUrl } = request;
  const stored = listStored(siteStorage, baseUrl);
  const response = fetchFromPage(sessionUrl(request), {
    ...requestInit,
    method: 'POST',
    headers: { ...sessionHeaders(stored), ...versionHeader },
    body,
    credentials,
    signal: controller.signal,
  }).then(async (arrived) => {
    const arrivedAtMs = performance.now();
    return { response: arrived, json: await readJson(arrived), arrivedAtMs };
  });
  // The reader of the response handles a failure.
  response.catch(() => {});
  return { response, abort: () => controller.abort() };
}
