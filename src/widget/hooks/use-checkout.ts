import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { initialState, type State } from '../../core/machine/state.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { CheckoutModel } from '../model/checkout-model.ts';
import { createViewState, type ViewState } from '../model/view-state.ts';

/** An attempt to copy a value. `count` distinguishes two attempts at the same value. */
export type CopyAttempt = {
  readonly field: keyof Messages;
  readonly value: string;
  readonly isCopied: boolean;
  readonly count: number;
};

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
  readonly lastCopy: Signal<CopyAttempt | undefined>;
  /** What to do when an action may not have worked; shown until the screen changes. */
  readonly hint: Signal<{ readonly text: string; readonly screen: State['name'] } | undefined>;
  readonly page: PageActions;
};

export type ContextOptions = {
  /** The reader's languages and time zone. */
  readonly reader?: Pick<Translator, 'preferredLanguages' | 'timeZone'>;
  readonly page?: PageActions;
};

const Context = createContext<CheckoutContext | undefined>(undefined);
export const CheckoutProvider = Context.Provider;

/** Returns the checkout's context. */
export function useCheckout(): CheckoutContext {
  const context = useContext(Context);
  if (!context) throw new Error('CheckoutProvider is missing.');
  return context;
}

/** Creates the context of a checkout and starts its view state, which `viewState.stop` stops. */
export function createCheckoutContext(
  model: CheckoutModel,
  { reader, page = { go() {} } }: ContextOptions = {},
): CheckoutContext {
  return {
    model,
    viewState: createViewState(model, page.go),
    // Without messages no button and no field would have a label.
    state: computed(() => (model.translator.value.isLoading ? initialState : model.state.value)),
    translator: computed(() => ({ ...model.translator.value, ...reader })),
    lastCopy: signal(undefined),
    hint: signal(undefined),
    page,
  };
}
