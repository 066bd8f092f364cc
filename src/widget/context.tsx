import { type ReadonlySignal, useComputed } from '@preact/signals';
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { initialState, type State } from '../core/state.ts';
import type { Translator } from '../i18n/translator.ts';
import type { CheckoutModel } from './model/checkout-model.ts';
import { useViewState, type ViewState } from './model/view-state.ts';

/** Navigation callbacks. */
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

export type ProviderProps = Pick<CheckoutContext, 'model'> & {
  /** The reader's languages and time zone. */
  readonly reader?: Pick<Translator, 'preferredLanguages' | 'timeZone'>;
  readonly page?: PageActions;
  readonly children?: ComponentChildren;
};

const noPage: PageActions = { go() {} };

/** Provides a checkout to its components, and runs its timers while it is rendered. */
export function CheckoutProvider({ model, reader, page = noPage, children }: ProviderProps): JSX.Element {
  const viewState = useViewState(model, page.go);
  // Without messages no button and no field would have a label.
  const state = useComputed(() => (model.translator.value.isLoading ? initialState : model.state.value));
  const translator = useComputed(() => ({ ...model.translator.value, ...reader }));
  const context = useMemo(() => ({ model, viewState, state, translator, page }), [model]);
  return <Context.Provider value={context}>{children}</Context.Provider>;
}

export function useCheckout(): CheckoutContext {
  const context = useContext(Context);
  if (!context) throw new Error('CheckoutProvider is missing.');
  return context;
}
