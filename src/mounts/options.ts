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
export type CheckedOptions = Omit<CheckoutOptions, 'appearance' | 'baseUrl'> & {
  readonly baseUrl: string;
  readonly theme: Theme;
};

/**
 * Checks the options of a mount.
 *
 * @throws {CheckoutError} `invalid_options` with one sentence on what to write instead
 */
export function checkOptions(options: CheckoutOptions = {}): CheckedOptions {
  const { baseUrl = '/checkout', returnUrl, body, session, appearance } = options;
  return {
    ...options,
    baseUrl: checkBaseUrl(baseUrl),
    returnUrl: returnUrl === undefined ? undefined : checkReturnUrl(returnUrl),
    body: checkBody(body),
    session: session === undefined ? undefined : checkSession(session),
    theme: checkTheme(appearance?.theme ?? 'auto'),
  };
}

function refuse(message: string): never {
  throw new CheckoutError('invalid_options', message);
}

function checkBaseUrl(baseUrl: unknown): string {
  const isPath = typeof baseUrl === 'string' && /^\/(?![/\\])[^?#\\]*$/.test(baseUrl);
  const url = parseWebUrl(baseUrl);
  if (!isPath && (!url || url.search || url.hash)) {
    refuse('baseUrl must be a path of this site such as "/checkout", or an http(s) URL, without query.');
  }
  return String(baseUrl).replace(/\/+$/, '');
}

function checkReturnUrl(returnUrl: string): string {
  let url: URL | undefined;
  try {
    url = parseWebUrl(new URL(returnUrl, document.baseURI).href);
  } catch {}
  return (
    url?.href ?? refuse('returnUrl must be an http(s) URL, or one relative to the page, such as "/orders".')
  );
}

function checkBody(body: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(body ?? {}));
  } catch {
    return refuse('body must be something that JSON can hold, such as { orderId: "1001" }.');
  }
}

function checkSession(session: unknown): Session {
  const result = v.safeParse(Session, session);
  if (result.success) return result.output;
  return refuse(
    'session must be what createSession() of the server-kit gives; leave it out to have one made.',
  );
}

function checkTheme(theme: unknown): Theme {
  if (theme === 'light' || theme === 'dark' || theme === 'auto') return theme;
  return refuse('appearance.theme must be "light", "dark" or "auto".');
}
