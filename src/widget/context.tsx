import { type ReadonlySignal, useComputed } from '@preact/signals';
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { initialState, type State } from '../core/state.ts';
import type { Translator } from '../i18n/translator.ts';
import type { ShownModel } from './model/checkout-model.ts';
import { useViewState, type ViewState } from './model/view-state.ts';

export type PageActions = {
  readonly go: (url: string) => void;
  /** Closes the modal around the checkout; undefined without one. */
  readonly onClose?: (() => void) | undefined;
  /** Called when the shopper leaves for the shop by the link itself. */
  readonly onReturn?: (() => void) | undefined;
};

export type CheckoutContext = {
  readonly model: ShownModel;
  readonly viewState: ViewState;
  /** The state to show: `loading` until there are messages for another one. */
  readonly state: ReadonlySignal<State>;
  readonly translator: ReadonlySignal<Translator>;
  readonly page: PageActions;
  /** Defers what the first paint does not need. False on a server, and when replacing server-rendered content. */
  readonly isStaged: boolean;
};

const Context = createContext<CheckoutContext | undefined>(undefined);

export type ProviderProps = Pick<CheckoutContext, 'model'> &
  Partial<Pick<CheckoutContext, 'page' | 'isStaged'>> & {
    readonly timeZone?: string | undefined;
    readonly children?: ComponentChildren;
  };

const noPage: PageActions = { go() {} };

export function CheckoutProvider({
  model,
  timeZone,
  page = noPage,
  isStaged = false,
  children,
}: ProviderProps): JSX.Element {
  const viewState = useViewState(model, page.go);
  // Without messages no button and no field would have a label.
  const state = useComputed(() => (model.translator.value.isLoading ? initialState : model.state.value));
  const translator = useComputed(() => ({ ...model.translator.value, timeZone }));
  const context = useMemo(() => ({ model, viewState, state, translator, page, isStaged }), [model]);
  return <Context.Provider value={context}>{children}</Context.Provider>;
}

/** Returns whether a component has been painted, for its parts that need more time than the first paint should take. */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(!useCheckout().isStaged);
  useEffect(() => setPainted(true), []);
  return isPainted;
}

/** Every component is inside a provider. */
export const useCheckout = (): CheckoutContext => useContext(Context) as CheckoutContext;
