import * as v from 'valibot';
import { CheckoutError, parseWebUrl, Session } from '../contract/index.ts';
import type { CheckoutEvents } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';

/** What a merchant may say about a checkout. All of it may be left out. */
export type CheckoutOptions = CheckoutEvents & {
  /** Where the checkout handler is mounted: a path of this site, or an http(s) URL. `/checkout` when left out. */
  readonly baseUrl?: string | undefined;
  /** JSON for the server's `createPayment`, such as `{ orderId: '1001' }`. The price is the server's to say. */
  readonly body?: unknown;
  /** A session that the server has made already (`createSession`): nothing is posted. */
  readonly session?: Session | undefined;
  /** The shop's name, shown at the top. */
  readonly merchantName?: string | undefined;
  /** Where "Back to the shop" leads: an http(s) URL, or one relative to the page. */
  readonly returnUrl?: string | undefined;
  /** Other words than ours, by the keys of `Messages`. */
  readonly text?: Partial<Messages> | undefined;
  /** `auto` (as the reader's device is set) when left out. */
  readonly appearance?: { readonly theme?: Theme | undefined } | undefined;
};

export type Theme = 'light' | 'dark' | 'auto';

/** Options in the form in which the checkout uses them. */
export type CheckedOptions = Omit<CheckoutOptions, 'appearance' | 'baseUrl' | 'body'> & {
  readonly baseUrl: string;
  /** As JSON. */
  readonly body: string;
  readonly theme: Theme;
};

/**
 * Checks the options of a mount.
 *
 * @throws {CheckoutError} `invalid_options` with one sentence on what to write instead
 */
export function checkOptions(options: CheckoutOptions = {}): CheckedOptions {
  const { baseUrl = '/checkout', returnUrl, body = {}, session, appearance } = options;
  const theme = appearance?.theme ?? 'auto';
  if (!['light', 'dark', 'auto'].includes(theme)) refuse('appearance.theme', '"light", "dark" or "auto"');
  return {
    ...options,
    theme,
    baseUrl: checkBaseUrl(baseUrl),
    returnUrl: returnUrl && (resolveWebUrl(returnUrl) ?? refuse('returnUrl', 'an http(s) URL or a path')),
    body: toJson(body),
    session: session && checkSession(session),
  };
}

const jsonValue = 'something that JSON can hold';

function refuse(option: string, expected: string): never {
  throw new CheckoutError('invalid_options', `The option ${option} must be ${expected}.`);
}

function checkBaseUrl(baseUrl: string): string {
  // Not `//host` or `/\\host`, which browsers take for other sites; and a query would swallow the routes.
  const isPath = /^\/(?![/\\])/.test(baseUrl);
  if (!(isPath || parseWebUrl(baseUrl)) || /[?#]/.test(baseUrl)) {
    refuse('baseUrl', 'a path such as "/checkout", or an http(s) URL, without query');
  }
  return baseUrl.replace(/\/$/, '');
}

function resolveWebUrl(url: string): string | undefined {
  try {
    return parseWebUrl(new URL(url, document.baseURI).href)?.href;
  } catch {
    return undefined;
  }
}

function toJson(body: unknown): string {
  try {
    // A function or a symbol has no JSON at all.
    return JSON.stringify(body) ?? refuse('body', jsonValue);
  } catch {
    return refuse('body', jsonValue);
  }
}

function checkSession(session: unknown): Session {
  const result = v.safeParse(Session, session);
  return result.success ? result.output : refuse('session', 'what createSession() of the server-kit gives');
}
