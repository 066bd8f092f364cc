import { h, type JSX, render } from 'preact';
import * as v from 'valibot';
import { CheckoutError } from '../contract/index.ts';
import { initialState, loadLazyPart } from '../core/index.ts';
import { createStaticModel, DedicatedAccountView, groupAccountNumber } from '../model/index.ts';
import { copiedLine } from '../ui/announcer/announcements.ts';
import { CheckoutProvider, createCheckoutContext, useCheckout } from '../ui/hooks/use-checkout.ts';
import { pressBeside } from '../ui/hooks/use-copy.ts';
import { Card } from '../ui/parts/card.tsx';
import { CopyButton } from '../ui/parts/copy-button.tsx';
import { LoadFailed } from '../ui/parts/load-failed.tsx';
import { TestMode } from '../ui/parts/marks.tsx';
import { Row } from '../ui/parts/row.tsx';
import type * as Lazy from '../ui/screens/dedicated-account.ts';
import { addStyles } from '../ui/styles/add-styles.ts';
import css from '../ui/styles/checkout.css?inline';
import { checkOptions } from './options/check-options.ts';
import type { CheckoutOptions } from './options/options.ts';

/** What of a checkout's options an account has that stays. */
export type DedicatedAccountOptions = Pick<
  CheckoutOptions,
  'merchantName' | 'logo' | 'text' | 'locale' | 'languages' | 'appearance'
>;

/**
 * Shows an account that belongs to a customer for good: its details, and nothing that ends. Nothing is asked of any server, so
 * show it where your server has just found it `active` (`toDedicatedAccountView`). Resolves when it stands, with a function that takes it
 * away. Where its part of the checkout does not load, the element says so, and offers to try again.
 *
 * @throws {CheckoutError} `invalid_options` for a view or an option that cannot be used, `load_failed`
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
  const place = root.appendChild(document.createElement('div'));
  const show = (content: JSX.Element): void =>
    render(h(CheckoutProvider, { value: context }, content), place);
  const load = async (): Promise<void> => {
    const part = await loadLazyPart('dedicated-account', () => import('../ui/screens/dedicated-account.ts'));
    show(h(DedicatedAccount, { part, view }));
  };
  // Who asked for it is told of the first failure; the next one is on the page.
  const retry = (): void => void load().catch(() => {});
  try {
    await load();
  } catch (error) {
    show(h(LoadFailed, { retry }));
    throw error;
  }
  return () => {
    context.viewState.stop();
    render(null, place);
    root.textContent = '';
    root.adoptedStyleSheets = [];
  };
}

type DedicatedAccountProps = { readonly part: typeof Lazy; readonly view: DedicatedAccountView };

function DedicatedAccount({ part, view }: DedicatedAccountProps) {
  const context = useCheckout();
  return part.dedicatedAccount(
    { h, Card, CopyButton, Row, TestMode },
    {
      view,
      text: context.translator.value.text,
      grouped: groupAccountNumber(view.account.number),
      copied: copiedLine(context),
      onPress: pressBeside,
    },
  );
}

function checkView(account: unknown): DedicatedAccountView {
  const result = v.safeParse(DedicatedAccountView, account);
  if (result.success) return result.output;
  const message = 'showDedicatedAccount takes what toDedicatedAccountView() of the server-kit gives.';
  throw new CheckoutError('invalid_options', message);
}
