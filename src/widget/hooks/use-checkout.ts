import type { ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { State } from '../../core/machine/state.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { CheckoutModel } from '../model/checkout-model.ts';
import type { ViewState } from '../model/view-state.ts';

/** How the page around the checkout is left. */
export type PageActions = {
  /** Navigates the page to the shop. */
  readonly go: (url: string) => void;
  /** Closes the modal around the checkout; undefined without one. */
  readonly onClose?: (() => void) | undefined;
  /** Called when the shopper leaves for the shop by the link itself. */
  readonly onReturn?: (() => void) | undefined;
};

/** The signals and actions that the components of one checkout share. */
export type CheckoutContext = {
  readonly model: CheckoutModel;
  readonly viewState: ViewState;
  /** The state to show: `loading` until there are messages for another one. */
  readonly state: ReadonlySignal<State>;
  readonly translator: ReadonlySignal<Translator>;
  readonly page: PageActions;
};

const Context = createContext<CheckoutContext | undefined>(undefined);
export const CheckoutProvider = Context.Provider;

export function useCheckout(): CheckoutContext {
  const context = useContext(Context);
  if (!context) throw new Error('CheckoutProvider is missing.');
  return context;
}
