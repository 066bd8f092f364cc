import { signal } from '@preact/signals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import * as v from 'valibot';
import { CheckoutError, PaymentView, parseWebUrl } from '../../contract/index.ts';
import { stateOfPayment } from '../../core/machine/state.ts';
import { accountAsText, createStaticModel, formatDateTime } from '../../model/index.ts';
import { Checkout } from '../../ui/checkout.tsx';
import { CheckoutProvider, createCheckoutContext } from '../../ui/hooks/use-checkout.ts';
import css from '../../ui/styles/checkout.css?inline';
import { attributeOf } from '../options/attribute-of.ts';
import { checkOptions } from '../options/check-options.ts';
import type { Appearance, CheckoutOptions } from '../options/options.ts';
import { fileNameOf } from '../script-tag/file-names.ts';
import { attributesToHtml, escapeHtml } from './html.ts';
import renderedStyles from './rendered.css?inline';

/** What can be rendered on a server of a checkout's options: all that the element `<transfer-checkout>` takes as attributes. */
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
   * The address of `checkout.css`, which lies beside `checkout.js`: a path or an http(s) URL. The page is not painted before it has
   * come. May be left out where there is a `nonce`.
   */
  readonly stylesheet?: string | undefined;
  /**
   * The nonce of the page's content security policy for styles: they are written into the HTML then, and paint with it. An empty one
   * where the page has no such policy.
   */
  readonly nonce?: string | undefined;
  /** The address of `checkout.js`. The widget that it loads is preloaded then. */
  readonly script?: string | undefined;
  /** The shop's sign; see `CheckoutOptions`. */
  readonly logo?: string | undefined;
  /** `auto` when left out. */
  readonly theme?: Appearance['theme'];
  /** `comfortable` when left out. All else of the look is for the page's own style sheet to set: `--checkout-accent` and so on. */
  readonly density?: Appearance['density'];
  /** The element's `id`. */
  readonly id?: string | undefined;
  /** The languages that the reader likes, best first: those of `Accept-Language`, where `locale` leaves a choice. */
  readonly preferredLanguages?: readonly string[] | undefined;
  /** Of the times that are written before a script knows the reader's own. `UTC` when left out; its name stands with them. */
  readonly timeZone?: string | undefined;
};

/** The content of `checkout.css`, for those who serve it themselves. */
export const checkoutStyles: string = css + renderedStyles;

/**
 * The HTML of `<transfer-checkout>` with the account in it, readable before any script runs, and without one. Where the
 * script is loaded it takes over what stands there, without a flash: it asks the server for the order's session, as
 * always, and shows the same from then on.
 *
 * Only the view of the session is written. The client secret never is: HTML lies in caches, logs and histories. Do not let
 * the page be cached, all the same: it names an account.
 *
 * @param session what `createSession()` of the server-kit has given
 * @throws {CheckoutError} `invalid_options` when the session or an option cannot be used; the message says what to do
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
  const model = await createStaticModel(state, settings, preferredLanguages);
  const translator = { ...model.translator.peek(), timeZone, preferredLanguages };
  const isPayable = state.name === 'awaitingTransfer';
  const time = formatDateTime(payment.expiresAt, translator);
  const context = createCheckoutContext(
    // No page goes anywhere by itself without a script.
    { ...model, canAutoReturn: signal(false) },
    {
      reader: { timeZone, preferredLanguages },
      noScript: isPayable ? translator.text('noScript', { time }) : undefined,
    },
  );
  const card = renderToString(h(CheckoutProvider, { value: context }, h(Checkout, null)));
  context.viewState.stop();
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
    // For browsers that do not know such templates: it is shown until there is a shadow root.
    isPayable ? `<p>${escapeHtml(accountAsText(payment, translator)).replaceAll('\n', '<br>')}</p>` : '',
    '</transfer-checkout>',
  ].join('');
}

/** The styles: written out under the page's nonce, or by their address. */
function styleTag(stylesheet: string | undefined, nonce: string | undefined): string {
  if (nonce !== undefined) return `<style nonce="${escapeHtml(nonce)}">${checkoutStyles}</style>`;
  const href = checkAddress('stylesheet', stylesheet);
  if (href !== undefined) return `<link rel="stylesheet" href="${escapeHtml(href)}">`;
  throw new CheckoutError('invalid_options', 'renderCheckout needs the option stylesheet, or nonce.');
}

/** Has the widget loaded beside the script that will ask for it. */
function preloadTag(script: string | undefined): string {
  const address = checkAddress('script', script);
  if (address === undefined) return '';
  const href = address.replace(/[^/]*$/, '') + fileNameOf('widget');
  const isElsewhere = parseWebUrl(address) !== undefined;
  return `<link rel="modulepreload" href="${escapeHtml(href)}"${isElsewhere ? ' crossorigin' : ''}>`;
}

function checkView(session: unknown): PaymentView {
  const result = v.safeParse(PaymentView, session);
  if (result.success) return result.output;
  const message = 'renderCheckout takes what createSession() of the server-kit gives, and options.';
  throw new CheckoutError('invalid_options', message);
}

type Written = Omit<
  RenderOptions,
  'stylesheet' | 'nonce' | 'script' | 'theme' | 'density' | 'id' | 'preferredLanguages' | 'timeZone'
>;

/** Addresses are those of the page: here nobody knows which it is, so that they stay as they are. */
function settingsOf({ returnUrl, supportUrl, payLink, ...others }: Written, appearance: Appearance) {
  const checked = checkOptions({ ...others, appearance });
  checkAddress('payLink', payLink);
  return {
    ...checked,
    variables: {},
    returnUrl: checkAddress('returnUrl', returnUrl),
    // Help gets the reference into its address, which takes a whole one.
    supportUrl: parseWebUrl(checkAddress('supportUrl', supportUrl))?.href,
  };
}

/** An http(s) URL, or one relative to the page; nothing with another scheme. */
function checkAddress(name: string, address: string | undefined): string | undefined {
  const isRelative =
    address !== undefined && !/^[\s\p{Cc}]*[a-z][\w+.-]*:/iu.test(address.replace(/[\t\n\r]/g, ''));
  if (address === undefined || isRelative || parseWebUrl(address)) return address;
  throw new CheckoutError('invalid_options', `The option ${name} must be an http(s) URL or a path.`);
}

/** As the element reads them. What has no attribute is for the page to set as properties: `text`, `languages`. */
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
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [attributeOf(name), value]));
}
