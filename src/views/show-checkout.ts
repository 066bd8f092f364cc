import { effect, signal } from '@preact/signals';
import { h, render } from 'preact';
import type { CheckoutModel } from '../model/index.ts';
import css from './checkout.css?inline';
import { Checkout } from './checkout.tsx';
import type { Copy, More, Qr } from './screen.ts';
import { addStyles } from './styles.ts';

/**
 * Shows a checkout in a shadow root and keeps it up to date until the returned function is called, which empties the
 * root. What the first screen does not need is loaded after it stands; when that fails, every state still has its line
 * of text, and the next change tries again.
 */
export function showCheckout(model: CheckoutModel, root: ShadowRoot): () => void {
  const copied = signal<Copy | undefined>(undefined);
  const qr = signal<Qr>('hidden');
  const more = signal<More | undefined>(undefined);
  root.textContent = '';
  addStyles(root, css);
  const place = root.appendChild(document.createElement('div'));

  const stopRendering = effect(() => {
    const screen = {
      model,
      state: model.state.value,
      remainingMs: model.remainingMs.value,
      copied: copied.value,
      qr: qr.value,
      more: more.value,
      setCopied: (next: Copy) => {
        copied.value = next;
      },
      setQr: (next: Qr) => {
        qr.value = next;
      },
    };
    const focused = root.activeElement;
    render(h(Checkout, screen), place);
    if (focused && !root.activeElement) (place.firstChild as HTMLElement).focus();
  });

  let isLoading = false;
  const stopLoading = effect(() => {
    const state = model.state.value;
    if (isLoading || (state.name === 'loading' && state.failures === 0)) return;
    isLoading = true;
    import('./more.ts').then(
      (module) => {
        // Taken away meanwhile.
        if (!place.parentNode) return;
        addStyles(root, module.css);
        model.learn(module.words);
        more.value = module;
      },
      () => {
        isLoading = false;
      },
    );
  });

  return () => {
    stopLoading();
    stopRendering();
    render(null, place);
    root.textContent = '';
    root.adoptedStyleSheets = [];
  };
}
