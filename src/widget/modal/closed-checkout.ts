import { computed, effect } from '@preact/signals';
import { isPaid, type State } from '../../core/machine/state.ts';
import { lineLifetimeMs } from '../announcer/announcements.ts';
import { titleOf } from '../description/title.ts';
import { pageDocument } from '../dom/page.ts';
import type { CheckoutModel } from '../model/checkout-model.ts';
import { createButtonLabel } from './button-label.ts';

/**
 * Tells the page's reader about a checkout that was closed and keeps watching: the label of the button that opens it says that a payment
 * waits or is paid, and a screen reader hears when it is paid. Returns a function that ends this and restores the button's own label.
 */
export function followClosed(target: Element | undefined, model: CheckoutModel): () => void {
  const stops = [announcePaid(model)];
  if (target?.matches('button, [data-transfer-checkout]')) stops.push(labelButton(target, model));
  return () => {
    for (const stop of stops) stop();
  };
}

/** Labels a button by the state of its checkout. Returns a function that restores the button's own label. */
export function labelButton(
  button: Element,
  { state, translator }: Pick<CheckoutModel, 'state' | 'translator'>,
): () => void {
  const label = createButtonLabel(button);
  const key = computed(() => labelKey(state.value));
  const stop = effect(() => {
    const { text, locale } = translator.value;
    label.show(key.value ? text(key.value) : '', locale);
  });
  return () => {
    stop();
    label.show('', '');
  };
}

/** Announces the payment when it is paid from now on, in a live region of its own. */
function announcePaid({ state, translator, clock }: CheckoutModel): () => void {
  const region = createLiveRegion();
  const wasPaid = isPaid(state.peek());
  const line = computed(() =>
    !wasPaid && isPaid(state.value) ? titleOf(state.value, translator.value) : '',
  );
  const write = (text: string): void => {
    region.textContent = text;
  };
  const stop = effect(() => {
    region.lang = translator.value.locale;
    write(line.value);
    return clock.setTimer(() => write(''), lineLifetimeMs);
  });
  return () => {
    stop();
    region.remove();
  };
}

/** Adds a live region to the page, out of sight. It must exist before its text does. */
function createLiveRegion(): HTMLElement {
  const region = pageDocument.body.appendChild(pageDocument.createElement('p'));
  region.setAttribute('role', 'status');
  region.style.cssText = 'all:initial!important;position:fixed!important;clip-path:inset(50%)!important';
  return region;
}

/** Returns the message for the button; undefined where no payment waits behind it, so that the button's own label is right. */
function labelKey(state: State): 'seePayment' | 'paid' | undefined {
  if (!('payment' in state)) return undefined;
  if (isPaid(state)) return 'paid';
  const { chargedAmount, orderChargedAmount = chargedAmount } = state.payment;
  const isOver = state.name === 'expired' || state.name === 'failed';
  return isOver && orderChargedAmount === 0 ? undefined : 'seePayment';
}
