import { h, type JSX, render } from 'preact';
import * as v from 'valibot';
import { CheckoutError } from '../contract/index.ts';
import { initialState, loadLazyPart } from '../core/index.ts';
import { createStaticModel, DedicatedAccountView } from '../model/index.ts';
import { copyLine } from '../ui/announcer/lines.ts';
import { CheckoutProvider, createCheckoutContext, useCheckout } from '../ui/hooks/use-checkout.ts';
import { Card, Heading, TestMode } from '../ui/parts/card.tsx';
import { AccountDetails } from '../ui/parts/details.tsx';
import { LoadFailed } from '../ui/parts/load-failed.tsx';
import { Row } from '../ui/parts/row.tsx';
import type * as Lazy from '../ui/screens/dedicated-account.ts';
import { addStyles } from '../ui/styles/add-styles.ts';
import css from '../ui/styles/checkout.css?inline';
import { checkOptions } from './options/check-options.ts';
import type { CheckoutOptions } from './options/options.ts';

/** The checkout options that `showDedicatedAccount` takes. */
export type DedicatedAccountOptions = Pick<
  CheckoutOptions,
  'merchantName' | 'logo' | 'text' | 'locale' | 'languages' | 'appearance'
>;

/**
 * Shows the details of a customer's dedicated account. Sends no request, so call it when your server has just found the account
 * `active` (`toDedicatedAccountView`). Resolves with a function that removes it. When its lazy part fails to load, the element
 * says so and offers to try again.
 *
 * @throws {CheckoutError} `invalid_options` for an invalid view or option, `load_failed`
 */
export async function showDedicatedAccount(
  element: Element,
  account: DedicatedAccountView,
  options: DedicatedAccountOptions = {},
): Promise<() => void> {
  const view = checkView(account);
  const model = await createStaticModel(initialState, checkOptions(options), navigator.languages);
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  const context = createCheckoutContext(model);
  root.textContent = '';
  root.adoptedStyleSheets = [];
  addStyles(root, css);
  const container = root.appendChild(document.createElement('div'));
  const show = (content: JSX.Element): void =>
    render(h(CheckoutProvider, { value: context }, content), container);
  const load = async (): Promise<void> => {
    const part = await loadLazyPart('dedicated-account', () => import('../ui/screens/dedicated-account.ts'));
    show(h(DedicatedAccount, { part, view }));
  };
  // The caller gets the first error; a failed retry shows only in the element.
  const retry = (): void => void load().catch(() => {});
  try {
    await load();
  } catch (error) {
    show(h(Card, null as never, h(LoadFailed, { retry })));
    throw error;
  }
  return () => {
    context.viewState.stop();
    render(null, container);
    root.textContent = '';
    root.adoptedStyleSheets = [];
  };
}

type DedicatedAccountProps = { readonly part: typeof Lazy; readonly view: DedicatedAccountView };

function DedicatedAccount({ part, view }: DedicatedAccountProps) {
  const context = useCheckout();
  return part.dedicatedAccount(
    { h, AccountDetails, Card, Heading, Row, TestMode },
    { view, text: context.translator.value.text, announcement: copyLine(context) },
  );
}

function checkView(account: unknown): DedicatedAccountView {
  const result = v.safeParse(DedicatedAccountView, account);
  if (result.success) return result.output;
  const message = 'showDedicatedAccount needs a view from toDedicatedAccountView() of the server-kit.';
  throw new CheckoutError('invalid_options', message);
}
