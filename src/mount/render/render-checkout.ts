import { signal } from '@preact/signals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import * as v from 'valibot';
import { CheckoutError, PaymentView, parseWebUrl } from '../../contract/index.ts';
import { stateOfPayment } from '../../core/machine/state.ts';
import { accountAsText, createStillModel, formatMoment } from '../../model/index.ts';
import { Checkout } from '../../ui/checkout.tsx';
import { CheckoutProvider, createCheckoutContext } from '../../ui/hooks/use-checkout.ts';
import css from '../../ui/styles/checkout.css?inline';
import { attributeName } from '../options/attributes.ts';
import { checkOptions } from '../options/check-options.ts';
import type { Appearance, CheckoutOptions } from '../options/options.ts';
import { fileNameOf } from '../script-tag/file-names.ts';
import { attributesToHtml, escapeHtml } from './html.ts';
import renderedStyles from './rendered.css?inline';

/** The checkout options that a server can render: those that `<transfer-checkout>` accepts as attributes, `text` and `languages`. */
export type RenderOptions = Pick<
  CheckoutOptions,
  | 'baseUrl'
  | 'credentials'
  | 'body'
  | 'orderKey'
  | 'merchantName'
  | 'returnUrl'
  | 'returnAfterSeconds'
  | 'supportUrl'
  | 'supportEmail'
  | 'payLink'
  | 'shareDetails'
  | 'ussd'
  | 'locale'
  | 'languages'
  | 'text'
> & {
  /**
   * The URL of `checkout.css`, which is beside `checkout.js`: a path or an http(s) URL. It blocks the first paint. Required unless
   * there is a `nonce`.
   */
  readonly stylesheet?: string | undefined;
  /**
   * The nonce of the page's content security policy for styles; empty where the page has no such policy. With it the styles are
   * written into the HTML.
   */
  readonly nonce?: string | undefined;
  /** The URL of `checkout.js`. The page then preloads the widget. */
  readonly script?: string | undefined;
  /** The shop's logo; see `CheckoutOptions`. */
  readonly logo?: string | undefined;
  /** Default: `auto`. */
  readonly theme?: Appearance['theme'];
  /** Default: `comfortable`. The page's own style sheet sets all other styles: `--checkout-accent` and so on. */
  readonly density?: Appearance['density'];
  /** The element's `id`. */
  readonly id?: string | undefined;
  /** The reader's preferred languages, best first, such as those of `Accept-Language`. Used when `locale` leaves a choice. */
  readonly preferredLanguages?: readonly string[] | undefined;
  /** The time zone of the times in the HTML, which name it. Default: `UTC`. The script then uses the reader's own. */
  readonly timeZone?: string | undefined;
};

/** The content of `checkout.css`, for servers that serve it themselves. */
export const checkoutStyles: string = css + renderedStyles;

/**
 * Returns the HTML of `<transfer-checkout>` with the account details, readable before any script runs and without one. Once
 * loaded, the script asks the server for the order's session as always, and takes over the HTML without a flash.
 *
 * Only the view of the session is written, never the client secret: HTML ends up in caches, logs and histories. Still, do not
 * let the page be cached: it contains an account.
 *
 * @param session the session that `createSession()` of the server-kit returns
 * @throws {CheckoutError} `invalid_options` when the session or an option is invalid; the message says what to write
 */
export async function renderCheckout(session: PaymentView, options: RenderOptions): Promise<string> {
  const payment = checkView(session);
  const {
    stylesheet,
    nonce,
    script,
    theme,
    density,
    id,
    preferredLanguages,
    timeZone = 'UTC',
    ...written
  } = options;
  const styles = styleTag(stylesheet, nonce);
  const settings = settingsOf(written, { theme, density });
  const state = stateOfPayment(payment, 'ok');
  const model = await createStillModel(state, settings, preferredLanguages);
  const speech = { ...model.speech.peek(), timeZone, preferred: preferredLanguages };
  const isPayable = state.name === 'awaitingTransfer';
  const time = formatMoment(payment.expiresAt, speech);
  const context = createCheckoutContext(
    // Without a script the page cannot return to the shop.
    { ...model, isFreeToReturn: signal(false) },
    {
      reader: { timeZone, preferred: preferredLanguages },
      noScript: isPayable ? speech.text('noScript', { time }) : undefined,
    },
  );
  const card = renderToString(h(CheckoutProvider, { value: context }, h(Checkout, null)));
  context.timers.stop();
  const attributes = attributesToHtml({
    id,
    ...attributesOf(written),
    theme,
    density,
    'data-state': state.name,
  });
  return [
    preloadTag(script),
    `<transfer-checkout${attributes}>`,
    `<template shadowrootmode="open">${styles}`,
    `<div data-rendered>${card}</div></template>`,
    // Shown by browsers without declarative shadow DOM.
    isPayable ? `<p>${escapeHtml(accountAsText(payment, speech)).replaceAll('\n', '<br>')}</p>` : '',
    '</transfer-checkout>',
  ].join('');
}

/** Returns the styles: inline with the page's nonce, or as a link. */
function styleTag(stylesheet: string | undefined, nonce: string | undefined): string {
  if (nonce !== undefined) return `<style nonce="${escapeHtml(nonce)}">${checkoutStyles}</style>`;
  const href = checkAddress('stylesheet', stylesheet);
  if (href !== undefined) return `<link rel="stylesheet" href="${escapeHtml(href)}">`;
  throw new CheckoutError('invalid_options', 'renderCheckout needs the option stylesheet or nonce.');
}

/** Returns a link that preloads the widget, which is beside the script. */
function preloadTag(script: string | undefined): string {
  const address = checkAddress('script', script);
  if (address === undefined) return '';
  const href = address.replace(/[^/]*$/, '') + fileNameOf('widget');
  const isAbsolute = parseWebUrl(address) !== undefined;
  return `<link rel="modulepreload" href="${escapeHtml(href)}"${isAbsolute ? ' crossorigin' : ''}>`;
}

function checkView(session: unknown): PaymentView {
  const result = v.safeParse(PaymentView, session);
  if (result.success) return result.output;
  const message = 'renderCheckout needs a session from createSession() of the server-kit.';
  throw new CheckoutError('invalid_options', message);
}

type Written = Omit<
  RenderOptions,
  'stylesheet' | 'nonce' | 'script' | 'theme' | 'density' | 'id' | 'preferredLanguages' | 'timeZone'
>;

/** Relative URLs stay relative: the server does not know the page's address. */
function settingsOf({ returnUrl, supportUrl, payLink, ...others }: Written, appearance: Appearance) {
  const checked = checkOptions({ ...others, appearance });
  checkAddress('payLink', payLink);
  return {
    ...checked,
    variables: {},
    returnUrl: checkAddress('returnUrl', returnUrl),
    // The help link adds the reference as a query, which needs an absolute URL.
    supportUrl: parseWebUrl(checkAddress('supportUrl', supportUrl))?.href,
  };
}

/** Accepts an http(s) URL or a relative one, but no other scheme. */
function checkAddress(name: string, address: string | undefined): string | undefined {
  const isRelative =
    address !== undefined && !/^[\s\p{Cc}]*[a-z][\w+.-]*:/iu.test(address.replace(/[\t\n\r]/g, ''));
  if (address === undefined || isRelative || parseWebUrl(address)) return address;
  throw new CheckoutError('invalid_options', `The option ${name} must be an http(s) URL or a path.`);
}

/** Returns the attributes that the element reads. `text` and `languages` have none: the page sets them as properties. */
function attributesOf({
  text: _,
  languages: __,
  body,
  ussd,
  locale,
  ...others
}: Written): Record<string, unknown> {
  const written = {
    ...others,
    body: body === undefined ? undefined : JSON.stringify(body),
    ussd: ussd && JSON.stringify(ussd),
    locale: typeof locale === 'object' ? locale.join(' ') : locale,
  };
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [attributeName(name), value]));
}
