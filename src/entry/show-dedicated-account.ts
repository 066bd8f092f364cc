import { h, render } from 'preact';
import { DedicatedAccountView } from '../contract/index.ts';
import { initialState } from '../core/machine/state.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { type ValidOptions, validateOptions } from '../options/validate-options.ts';
import { createCheckoutContext } from '../widget/create-context.ts';
import { addStyles } from '../widget/dom/add-styles.ts';
import { createBrowserEnvironment } from '../widget/dom/browser-environment.ts';
import { pageDocument, preferredLanguagesOf } from '../widget/dom/page.ts';
import { CheckoutProvider } from '../widget/hooks/use-checkout.ts';
import { openShadowRoot, releaseHost, takeHost } from '../widget/host.ts';
import type { CheckoutModel } from '../widget/model/checkout-model.ts';
import type { Settings } from '../widget/model/settings.ts';
import { createStaticModel } from '../widget/model/static-model.ts';
import { DedicatedAccount } from '../widget/screens/dedicated-account.tsx';
import css from '../widget/styles/checkout.css?inline';
import { parseGiven, settingsOf } from './options/resolve-options.ts';

/** The checkout options that `showDedicatedAccount` takes. */
export type DedicatedAccountOptions = Pick<
  CheckoutOptions,
  'merchantName' | 'logo' | 'text' | 'locale' | 'languages' | 'appearance'
>;

/**
 * Shows the details of a customer's dedicated account, in place of what the element shows. Sends no request, so call it when your server
 * has just found the account `active` (`toDedicatedAccountView`). Resolves with a function that removes it.
 *
 * @throws {CheckoutError} `invalid_options` for an invalid element, view or option
 */
export async function showDedicatedAccount(
  element: Element,
  account: DedicatedAccountView,
  options?: DedicatedAccountOptions,
): Promise<() => void> {
  return renderDedicatedAccount(element, account, validateOptions(options));
}

/** The same with validated options. */
export async function renderDedicatedAccount(
  element: Element,
  account: DedicatedAccountView,
  options: ValidOptions,
): Promise<() => void> {
  const view = parseGiven(
    DedicatedAccountView,
    account,
    'showDedicatedAccount needs a view from toDedicatedAccountView() of the server-kit.',
  );
  const model = await createModel(settingsOf(options), preferredLanguagesOf(element));
  const root = openShadowRoot(element);
  const context = createCheckoutContext(model);
  const container = pageDocument.createElement('div');
  const remove = (): void => {
    // Something else is shown there by now.
    if (container.parentNode !== root) return;
    releaseHost(element);
    context.viewState.stop();
    render(null, container);
    root.textContent = '';
    root.adoptedStyleSheets = [];
  };
  takeHost(element, remove);
  root.textContent = '';
  root.adoptedStyleSheets = [];
  addStyles(root, css);
  root.append(container);
  render(h(CheckoutProvider, { value: context }, h(DedicatedAccount, view)), container);
  return remove;
}

/** Creates the model in the reader's language, or in English when that fails to load. */
async function createModel(
  settings: Settings,
  preferredLanguages: readonly string[],
): Promise<CheckoutModel> {
  try {
    return await createStaticModel(initialState, settings, preferredLanguages);
  } catch (error) {
    createBrowserEnvironment().report(error);
    return createStaticModel(initialState, { ...settings, locale: 'en', languages: undefined });
  }
}
