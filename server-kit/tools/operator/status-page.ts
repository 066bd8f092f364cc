import * as v from 'valibot';
import { CheckoutError, checkoutErrorStatus, isCheckoutError } from '../../../src/contract/index.ts';
import type { Checkout } from '../../checkout/checkout.ts';
import { toDeadLetter } from '../../checkout/outbox/dead-letters.ts';
import { type Wait, waitWithTimer } from '../../client/async/wait.ts';
import { createErrorReporter, type OnError } from '../../client/errors/report-error.ts';
import { readBody } from '../../client/http/body.ts';
import { type FetchHandler, toFetchHandler } from '../../client/http/fetch.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from '../../client/http/plain-http.ts';
import { commonHeaders } from '../../client/http/responses.ts';
import { isSameOrigin } from '../../client/http/same-origin.ts';
import { aFunction, parseOptions } from '../../client/options/parse-options.ts';
import { sha256 } from '../../client/signing/hmac.ts';
import { renderStatusPage, statusStyles } from './status-html.ts';

const StatusPageOptions = v.strictObject({
  /** What `createCheckout` returns. */
  checkout: v.custom<Pick<Checkout, 'status' | 'deadLetters'>>(
    (value) => typeof Object(value).status === 'function',
    'must be what createCheckout() returns',
  ),
  /**
   * Whether the caller may see the page and retry dead letters: check your own login here. Called for every request; only
   * `true` admits, anything else gets a 403.
   *
   * @example
   * authorize: async ({ headers }) => (await findUser(headers.get('cookie')))?.isAdmin === true
   */
  authorize: aFunction<(request: StatusPageRequest) => boolean | Promise<boolean>>(
    ' that checks your own login, such as ({ headers }) => isAdmin(headers)',
  ),
  /** Receives what `authorize` or the store throws; the caller gets a 503. Default: `console.error`. */
  onError: v.optional(aFunction<OnError>()),
  /** Waits; tests pass their own. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type StatusPageOptions = v.InferInput<typeof StatusPageOptions>;
type StatusPageSettings = v.InferOutput<typeof StatusPageOptions>;

/** The part of a request that `authorize` gets. */
export type StatusPageRequest = { method: string; url: URL; headers: Headers };

export type StatusPage = {
  /** The page as a fetch handler. Mount it at any path of its own. */
  handler: FetchHandler;
  /** The page over plain values; `toNodeListener` serves it with node:http. */
  respond: PlainHandler;
};

/**
 * Creates a page for the shop's operators: the counts of outcomes, how long the oldest payments have waited, the events
 * without a handler, and the dead letters, each with a button that retries it. HTML without scripts, in English. It contains order ids, references and the failures of your
 * handlers, and no secret.
 *
 * - `GET`, `HEAD`: 200 with the page
 * - `POST` with `key`: retries a dead letter, 303 back to the page; 404 for a key that is not a dead letter, 400 for none; 403 from a page of
 *   another site (`Sec-Fetch-Site`, or else `Origin`)
 *
 * @throws {CheckoutError} `invalid_options` without an `authorize` function or a checkout
 */
export function createStatusPage(options: StatusPageOptions): StatusPage {
  const settings = parseOptions(StatusPageOptions, options, 'createStatusPage');
  const report = createErrorReporter(settings.onError);
  const respond: PlainHandler = async (request) => {
    try {
      return await respondTo(settings, request);
    } catch (error) {
      const status = isCheckoutError(error) ? checkoutErrorStatus[error.code] : undefined;
      if (isCheckoutError(error) && status !== undefined && status < 500)
        return refusal(status, error.message);
      report(error);
      return refusal(503, 'The status cannot be read right now.');
    }
  };
  return { respond, handler: toFetchHandler(respond) };
}

async function respondTo(settings: StatusPageSettings, request: PlainRequest): Promise<PlainResponse> {
  const { method, url } = request;
  if ((await settings.authorize({ method, url, headers: request.headers() })) !== true)
    throw new CheckoutError('forbidden', 'You may not see this page; log in first.');
  if (method === 'POST') return retry(settings, request);
  if (method !== 'GET' && method !== 'HEAD') {
    const refused = refusal(405, `${method} is not possible here; use GET or POST.`);
    return { ...refused, headers: { ...refused.headers, allow: 'GET, HEAD, POST' } };
  }
  const notice = url.searchParams.has('retried') ? 'Retried: the handler is called again.' : undefined;
  return page(settings, 200, notice);
}

async function retry({ checkout, wait }: StatusPageSettings, request: PlainRequest): Promise<PlainResponse> {
  if (!isFromThisSite(request))
    throw new CheckoutError('origin_not_allowed', 'Retry on this page, not from another site.');
  const body = await readBody(request, wait);
  const key = new URLSearchParams(body).get('key');
  if (!key)
    throw new CheckoutError(
      'invalid_request',
      'The form has no key; mount this page before any body parser.',
    );
  if (!(await checkout.deadLetters.retry(key)))
    return page({ checkout }, 404, `There is no dead letter ${key}; somebody may have retried it already.`);
  // Relative, because a framework may have removed the path at which the page is mounted.
  return { status: 303, headers: { ...commonHeaders, location: '?retried' }, body: undefined };
}

/**
 * Whether one of this site's own pages sent the form. `Sec-Fetch-Site` (Fetch Metadata) is right behind any proxy; browsers
 * send it over https and to localhost, and `Origin` with every POST.
 */
function isFromThisSite({ header, url }: PlainRequest): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  return origin !== undefined && isSameOrigin(origin, url, url);
}

async function page(
  { checkout }: Pick<StatusPageSettings, 'checkout'>,
  status: number,
  notice: string | undefined,
): Promise<PlainResponse> {
  const [found, deadLetters] = await Promise.all([checkout.status(), checkout.deadLetters.list()]);
  const styleHash = btoa(String.fromCharCode(...(await sha256(statusStyles))));
  return {
    status,
    headers: {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      // Not "no-referrer", with which browsers would send "Origin: null" with the form.
      'referrer-policy': 'same-origin',
    },
    body: renderStatusPage({ status: found, deadLetters: deadLetters.map(toDeadLetter), notice }),
  };
}

const refusal = (status: number, text: string): PlainResponse => ({
  status,
  headers: { ...commonHeaders, 'content-type': 'text/plain; charset=utf-8' },
  body: `${text}\n`,
});
