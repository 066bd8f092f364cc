import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import * as v from 'valibot';
import { CheckoutError, PaymentView, parseWebUrl } from '../../contract/index.ts';
import { knownReference, stateOfPayment } from '../../core/machine/state.ts';
import { formatDateTime } from '../../i18n/format-time.ts';
import { Checkout } from '../../widget/checkout.tsx';
import { accountAsText } from '../../widget/description/account-text.ts';
import { isPayable, payableView } from '../../widget/description/payment-facts.ts';
import { createRenderError } from '../../widget/error-boundary.tsx';
import {
  CheckoutProvider,
  type ContextOptions,
  createCheckoutContext,
} from '../../widget/hooks/use-checkout.ts';
import type { CheckoutModel } from '../../widget/model/checkout-model.ts';
import { createStaticModel } from '../../widget/model/static-model.ts';
import css from '../../widget/styles/checkout.css?inline';
import { writeAttributes } from '../options/attributes.ts';
import { fileNameOf } from '../script-tag/file-names.ts';
import { attributesToHtml, escapeHtml } from './html.ts';
import { checkAddress, type RenderOptions, renderedSettings } from './render-options.ts';
import renderedStyles from './rendered.css?inline';

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
 * @throws {CheckoutError} `invalid_options` when the session or an option is invalid; the message says what to write. `load_failed`
 * when the details cannot be rendered; the message has the reference
 */
export async function renderCheckout(session: PaymentView, options: RenderOptions): Promise<string> {
  const payment = checkView(session);
  const { stylesheet, nonce, script, theme, density, id, preferredLanguages, timeZone, ...element } = options;
  const styles = styleTag(stylesheet, nonce);
  const settings = renderedSettings(element, { theme, density });
  const state = stateOfPayment(payment, 'ok');
  const model = await createStaticModel(state, settings, preferredLanguages);
  const reader = { timeZone: timeZone ?? 'UTC', preferredLanguages };
  const translator = { ...model.translator.peek(), ...reader };
  const time = formatDateTime(payment.expiresAt, translator);
  const noScript = isPayable(state) ? translator.text('noScript', { time }) : undefined;
  const attributes = { id, ...writeAttributes(element), theme, density, 'data-state': state.name };
  return [
    preloadTag(script),
    `<transfer-checkout${attributesToHtml(attributes)}>`,
    `<template shadowrootmode="open">${styles}`,
    `<div data-rendered>${renderCard(model, { reader }, noScript)}</div></template>`,
    // Shown by browsers without declarative shadow DOM.
    isPayable(state) ? `<p>${toHtml(accountAsText(payableView(payment), translator))}</p>` : '',
    '</transfer-checkout>',
  ].join('');
}

const toHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');

function renderCard(model: CheckoutModel, options: ContextOptions, noScript: string | undefined): string {
  const context = createCheckoutContext(model, options);
  try {
    const card = renderToString(h(CheckoutProvider, { value: context }, h(Checkout, { noScript })));
    // An empty shadow root would hide the details that stand in plain text.
    if (!card) throw new Error('The card is empty.');
    return card;
  } catch (cause) {
    throw createRenderError(knownReference(model.state.peek()), cause);
  } finally {
    context.viewState.stop();
  }
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
