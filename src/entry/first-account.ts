import type { Session } from '../contract/session.ts';
import { type ReadResponse, readHeaders } from '../core/http.ts';
import { stateOfPayment } from '../core/state.ts';
import { formatMoney } from '../i18n/format-money.ts';
import { dayMs, formatCountdown } from '../i18n/format-time.ts';
import { baseOf } from '../i18n/messages.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { pageDocument } from '../widget/dom/page.ts';
import { namedLanguage } from './placeholder.ts';

/**
 * Fills a placeholder with the account of an early session, until the widget takes its place: on a slow network that is a second later.
 * Without words, because no language is loaded yet. Shows no account that is paid, closed or past its time; the widget checks the rest.
 */
export function showFirstAccount(
  placeholder: HTMLElement,
  options: Pick<CheckoutOptions, 'currencyDisplay' | 'locale'>,
  arrived: ReadResponse,
): void {
  const session = arrived.json as Session;
  const { account, amount, authorizationUrl, expiresAt } = session;
  const { serviceTimeMs = Number.NaN, arrivedAtMs = 0 } = readHeaders(arrived);
  const endMs = Date.parse(expiresAt) - serviceTimeMs + arrivedAtMs;
  const remainingMs = (): number => endMs - performance.now();
  const isOpen = stateOfPayment(session, 'ok').name === 'awaitingTransfer' && !authorizationUrl;
  if (!arrived.response.ok || !isOpen || !(remainingMs() < dayMs)) return;

  const locale = baseOf(namedLanguage(options) ?? 'en');
  const countdown = createLine('countdown', '');
  placeholder.removeAttribute('role');
  placeholder.translate = false;
  placeholder.replaceChildren(
    createLine('amount', formatMoney(amount, { ...options, locale }), 'font:bold 1.25em system-ui'),
    // Where the card will have it, so that the eye need not search for it again.
    createLine('accountNumber', account.number, 'font:bold 1.4em system-ui;margin:5.5em .5em 1em'),
    createLine('bankName', account.bankName),
    createLine('accountName', account.name),
    countdown,
  );
  const tick = (): void => {
    const ms = remainingMs();
    if (ms <= 0) return placeholder.replaceChildren();
    // Below a day it has no words.
    (countdown.firstChild as Node).textContent = formatCountdown(ms, { text: String, locale });
    if (placeholder.isConnected) setTimeout(tick, ms % 1000 || 1000);
  };
  tick();
}

/** Creates a value on a line of its own, which begins where the page's lines begin. */
function createLine(field: string, text: string, style = ''): HTMLElement {
  const line = pageDocument.createElement('span');
  const value = line.appendChild(pageDocument.createElement('bdi'));
  line.style.cssText = `display:block;${style}`;
  value.setAttribute('data-field', field);
  value.textContent = text;
  return line;
}
