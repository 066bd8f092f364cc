import { effect } from '@preact/signals';
import type { CheckoutModel } from '../model/index.ts';
import type { Frame } from '../ui/show-checkout.ts';
import { lockScroll } from './lock-scroll.ts';
import css from './modal.css?inline';

/** A place above the page, in the browser's top layer. */
export type Modal = {
  readonly root: ShadowRoot;
  readonly frame: Frame;
  /** Calls the dialog by the name of what it shows, until the returned function is called. */
  readonly name: (model: CheckoutModel) => () => void;
  /** Takes the focus, once something stands in it. */
  readonly takeFocus: () => void;
  /** Takes it away, gives the focus back, and lets the page scroll again. */
  readonly close: () => void;
};

/**
 * Opens it. `onCancel` is called when the shopper wants it closed: by Escape, by the Back gesture of Android, beside the sheet, by
 * its button. It stays until `close`. Its frame is in a shadow root, where no style of the page reaches it.
 */
export function openModal(onCancel: () => void): Modal {
  const host = document.body.appendChild(document.createElement('div'));
  host.setAttribute('data-checkout-modal', '');
  // What has stood there until now goes in the same moment, and gives the focus back first. No other appearing is needed.
  const waiting = document.querySelector('[data-checkout-waiting]');
  waiting?.shadowRoot?.querySelector('dialog')?.close('taken');
  waiting?.remove();
  host.toggleAttribute('data-at-once', !!waiting);
  const root = host.attachShadow({ mode: 'open' });
  const dialog = root.appendChild(document.createElement('dialog'));
  const body = dialog.appendChild(document.createElement('div'));
  body.className = 'sheet';
  const release = lockScroll();
  const ignoreClosing = keepOpen(dialog, onCancel);
  dialog.showModal();
  return {
    root,
    frame: { body, css, onClose: onCancel },
    name: (model) =>
      effect(() => {
        dialog.setAttribute('aria-label', nameOf(model));
      }),
    takeFocus() {
      // It is higher than a small screen, and begins at its top.
      body.querySelector('h2')?.focus({ preventScroll: true });
    },
    close() {
      ignoreClosing();
      dialog.close();
      host.remove();
      release();
    },
  };
}

/** Asks instead of closing, whatever wants to close it. Returns a function that ends it. */
function keepOpen(dialog: HTMLDialogElement, onCancel: () => void): () => void {
  let isPressedBeside = false;
  let isOver = false;
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onCancel();
  });
  // Browsers let a page prevent this once, and close without asking when it is wanted again.
  dialog.addEventListener('close', () => {
    if (isOver || !dialog.isConnected) return;
    dialog.showModal();
    onCancel();
  });
  // A press that begins or ends on the sheet, as when text is selected, means something else.
  dialog.addEventListener('pointerdown', ({ target }) => {
    isPressedBeside = target === dialog;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (isPressedBeside && target === dialog) onCancel();
  });
  return () => {
    isOver = true;
  };
}

/** What a screen reader calls the dialog. English until other words are there. */
function nameOf({ settings, translator }: CheckoutModel): string {
  const { merchantName } = settings.value;
  return [translator.value.text('payByTransfer') || 'Pay by bank transfer', merchantName]
    .filter(Boolean)
    .join(' – ');
}
