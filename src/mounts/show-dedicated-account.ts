import { effect, signal } from '@preact/signals';
import { h, render } from 'preact';
import * as v from 'valibot';
import { CheckoutError } from '../contract/index.ts';
import { initialState } from '../core/index.ts';
import { DedicatedAccountView } from '../model/index.ts';
import { createStillModel } from '../model/still-model.ts';
import firstStyles from '../views/checkout.css?inline';
import { DedicatedAccount } from '../views/dedicated-account.tsx';
import * as moreViews from '../views/more.ts';
import type { Copy } from '../views/screen.ts';
import { addStyles } from '../views/styles.ts';
import { checkOptions } from './check-options.ts';
import type { CheckoutOptions } from './options.ts';

/** What of a checkout's options an account has that stays. */
export type DedicatedAccountOptions = Pick<
  CheckoutOptions,
  'merchantName' | 'logo' | 'text' | 'locale' | 'languages' | 'appearance'
>;

/** Shows it in an element; see `showDedicatedAccount` of the package. */
export async function showDedicatedAccount(
  element: Element,
  account: DedicatedAccountView,
  options: DedicatedAccountOptions = {},
): Promise<() => void> {
  const view = checkView(account);
  const settings = checkOptions(options);
  const model = await createStillModel(initialState, settings, navigator.languages);
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  const copied = signal<Copy | undefined>(undefined);
  root.textContent = '';
  root.adoptedStyleSheets = [];
  addStyles(root, firstStyles + moreViews.css);
  const place = root.appendChild(document.createElement('div'));
  const more = { ...moreViews, later: model.later };
  const stop = effect(() => {
    const screen = {
      model,
      speech: model.speech.peek(),
      settings,
      state: initialState,
      more,
      view,
      copied: copied.value,
      setCopied: (next: Copy) => {
        copied.value = next;
      },
      qr: 'hidden' as const,
      setQr: () => {},
      isMoreLate: false,
    };
    render(h(DedicatedAccount, screen), place);
  });
  return () => {
    stop();
    render(null, place);
    root.textContent = '';
    root.adoptedStyleSheets = [];
  };
}

function checkView(account: unknown): DedicatedAccountView {
  const result = v.safeParse(DedicatedAccountView, account);
  if (result.success) return result.output;
  const message = 'showDedicatedAccount takes what toDedicatedAccountView() of the server-kit gives.';
  throw new CheckoutError('invalid_options', message);
}
