import { effect } from '@preact/signals';
import { h, render } from 'preact';
import type { CheckoutModel } from '../model/index.ts';
import { noteShown } from '../mount/reopen/remember-open-payment.ts';
import { AnnouncerContext, createAnnouncements } from './announcer/announcements.ts';
import { Checkout } from './checkout.tsx';
import { CheckoutProvider, createCheckoutContext } from './hooks/use-checkout.ts';
import { pressBeside } from './hooks/use-copy.ts';
import { keepFocus } from './hooks/use-focus-return.ts';
import { likedLanguages } from './preferred-languages.ts';
import { fetchAhead } from './preload-parts.ts';
import { addStyles } from './styles/add-styles.ts';
import css from './styles/checkout.css?inline';

export type Shown = {
  /** Calls `go`, after a word of warning while money may be on its way; not while it is being confirmed. */
  readonly leave: (go: () => void) => void;
  /** Ends it, and empties the root. */
  readonly takeAway: () => void;
};

/** What stands around a checkout that is not simply in its place. */
export type Frame = {
  /** What the checkout is shown in; in the shadow root. */
  readonly body: HTMLElement;
  readonly css: string;
  readonly onClose: () => void;
};

/**
 * Shows a checkout in a shadow root and keeps it up to date until it is taken away. The host carries the state as
 * `data-state`. What a server has rendered there stays until the same can be shown here.
 */
export function showCheckout(model: CheckoutModel, root: ShadowRoot, frame?: Frame): Shown {
  const context = createCheckoutContext(model, {
    reader: { preferred: likedLanguages(root.host) },
    go: (url) => location.assign(url),
    onClose: frame?.onClose,
  });
  const { state, timers } = context;
  const into = frame?.body ?? root;
  const rendered = root.querySelector('[data-rendered]');
  if (!rendered) into.textContent = '';
  addStyles(root, css + (frame?.css ?? ''));
  const place = into.appendChild(document.createElement('div'));
  place.addEventListener('click', pressBeside);
  const focus = keepFocus(place, timers, (text) => announcements.leaveOut(text));
  const announcements = createAnnouncements(context, focus.restore);
  const announced = h(AnnouncerContext.Provider, { value: announcements }, h(Checkout, null));

  let isRendered = false;
  const stopMarking = effect(() => {
    const { name } = state.value;
    if (!isRendered && rendered && name === 'loading') return;
    root.host.setAttribute('data-state', name);
    if (isRendered) return;
    isRendered = true;
    rendered?.remove();
    render(h(CheckoutProvider, { value: context }, announced), place);
  });
  const stops = [
    focus.stop,
    noteShown(model),
    fetchAhead(model),
    stopMarking,
    announcements.stop,
    timers.stop,
  ];

  return {
    leave: timers.leave,
    takeAway() {
      for (const stop of stops) stop();
      render(null, place);
      into.textContent = '';
      root.adoptedStyleSheets = [];
      root.host.removeAttribute('data-state');
    },
  };
}
