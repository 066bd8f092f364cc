import { effect } from '@preact/signals';
import { moveFocus } from './dom/focus.ts';
import { pageDocument } from './dom/page.ts';
import { lockScroll, pinToVisualViewport } from './dom/viewport.ts';
import css from './modal.css?inline';
import type { CheckoutModel } from './model/checkout-model.ts';

export type Modal = ReturnType<typeof openModal>;

/** Opens a modal dialog, until `close` is called. `onCancel` is called when the shopper wants to close it. */
export function openModal(onCancel: () => void) {
  const host = pageDocument.body.appendChild(pageDocument.createElement('div'));
  host.setAttribute('data-checkout-modal', '');
  const isByKeyboard = !!pageDocument.activeElement?.matches(':focus-visible');
  const root = host.attachShadow({ mode: 'open' });
  const dialog = root.appendChild(pageDocument.createElement('dialog'));
  const container = dialog.appendChild(pageDocument.createElement('div'));
  container.className = 'sheet';
  preventClose(dialog, onCancel);
  let stopLabel: (() => void) | undefined;
  dialog.showModal();
  const unlockScroll = lockScroll();
  const unpin = pinToVisualViewport(dialog);
  return {
    root,
    showOptions: { container, css, onClose: onCancel },
    setLabel(model: CheckoutModel): void {
      stopLabel?.();
      stopLabel = effect(() => dialog.setAttribute('aria-label', labelOf(model)));
    },
    takeFocus(): void {
      // On a small screen the sheet is taller than the dialog, and starts at its top.
      const title = container.querySelector('h2');
      if (title) moveFocus(title, isByKeyboard);
    },
    close(): void {
      stopLabel?.();
      unpin();
      dialog.onclose = null;
      dialog.close();
      host.remove();
      unlockScroll();
    },
  };
}

function preventClose(dialog: HTMLDialogElement, onCancel: () => void): void {
  let isPressOutside = false;
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onCancel();
  });
  // Browsers let a page prevent `cancel` once; a second Escape closes the dialog without asking.
  dialog.onclose = () => {
    if (!dialog.isConnected) return;
    dialog.showModal();
    onCancel();
  };
  // A press that begins or ends on the sheet does not close it: it may select text.
  dialog.addEventListener('pointerdown', ({ target }) => {
    isPressOutside = target === dialog;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (isPressOutside && target === dialog) onCancel();
  });
}

function labelOf({ settings, translator }: CheckoutModel): string {
  const { merchantName } = settings.value;
  return [translator.value.text('payByTransfer') || 'Pay by bank transfer', merchantName]
    .filter(Boolean)
    .join(' – ');
}
