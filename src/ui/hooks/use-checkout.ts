import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext, type RefObject } from 'preact';
import { useContext } from 'preact/hooks';
import {
  type CheckoutModel,
  createViewState,
  initialState,
  type Settings,
  type State,
  type Translator,
  type ViewState,
} from '../../model/index.ts';

/** The values that have a copy button. */
export type CopyField =
  | 'accountNumber'
  | 'amount'
  | 'missing'
  | 'reference'
  | 'details'
  | 'askToPay'
  | 'receipt';

/** An attempt to copy a value. `count` distinguishes two attempts at the same value. */
export type CopyAttempt = {
  readonly field: CopyField;
  readonly value: string;
  readonly isCopied: boolean;
  readonly count: number;
};

/** The signals and actions that the components of one checkout share. */
export type CheckoutContext = {
  readonly model: CheckoutModel;
  readonly viewState: ViewState;
  /** Navigates the page to the shop. */
  readonly go: (url: string) => void;
  /** The state to show: `loading` until there are messages for another one. */
  readonly state: ReadonlySignal<State>;
  readonly translator: ReadonlySignal<Translator>;
  readonly settings: ReadonlySignal<Settings>;
  /** The time to pay is up, and the server has not confirmed the expiry yet. */
  readonly isTimeUp: ReadonlySignal<boolean>;
  readonly lastCopy: Signal<CopyAttempt | undefined>;
  /** What to do when an action may not have worked; shown until the screen changes. */
  readonly hint: Signal<{ readonly text: string; readonly screen: State['name'] } | undefined>;
  /** The card's element, while it is rendered. */
  readonly card: RefObject<HTMLDivElement | null>;
  /** Closes the modal around the checkout; undefined without one. */
  readonly onClose?: (() => void) | undefined;
  /** Called when the shopper leaves for the shop by the link itself. */
  readonly onReturn?: (() => void) | undefined;
  /** What to read in a browser without scripts. */
  readonly noScript?: string | undefined;
};

export type ContextOptions = Pick<CheckoutContext, 'onClose' | 'onReturn' | 'noScript'> & {
  /** The reader's languages and time zone. */
  readonly reader?: Pick<Translator, 'preferredLanguages' | 'timeZone'>;
  readonly go?: CheckoutContext['go'];
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
  { reader, go = () => {}, onClose, onReturn, noScript }: ContextOptions = {},
): CheckoutContext {
  const viewState = createViewState(model, go);
  return {
    model,
    viewState,
    go,
    // Without messages no button and no field would have a label.
    state: computed(() => (model.translator.value.isLoading ? initialState : model.state.value)),
    translator: computed(() => ({ ...model.translator.value, ...reader })),
    settings: model.settings,
    isTimeUp: computed(() => viewState.remainingMs.value === 0),
    lastCopy: signal(undefined),
    hint: signal(undefined),
    card: { current: null },
    onClose,
    onReturn,
    noScript,
  };
}
