import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
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
import type { Copy } from './copied.ts';

/** What the components of one checkout share: signals to read, and actions to call. */
export type CheckoutContext = {
  readonly model: CheckoutModel;
  readonly viewState: ViewState;
  /** The state to show: `loading` until there are words to show another one with. */
  readonly state: ReadonlySignal<State>;
  readonly translator: ReadonlySignal<Translator>;
  readonly settings: ReadonlySignal<Settings>;
  /** The time to pay is up, and the server has not said yet what that means. */
  readonly isTimeUp: ReadonlySignal<boolean>;
  /** The last attempt to copy something. */
  readonly copied: Signal<Copy | undefined>;
  /** What a press has not certainly done, and what to do then; it goes with its screen. */
  readonly note: Signal<{ readonly text: string; readonly of: State['name'] } | undefined>;
  /** Closes the modal around the checkout; undefined where there is none. */
  readonly onClose?: (() => void) | undefined;
  /** Where no script will run: what to know then. */
  readonly noScript?: string | undefined;
};

export type ContextOptions = Pick<CheckoutContext, 'onClose' | 'noScript'> & {
  /** What the translator has besides its words: the reader's languages, and the zone of the times. */
  readonly reader?: Pick<Translator, 'preferredLanguages' | 'timeZone'>;
  /** Leads the page to an address. */
  readonly go?: (url: string) => void;
};

const Context = createContext<CheckoutContext | undefined>(undefined);
export const CheckoutProvider = Context.Provider;

/** What the components of the checkout share. */
export function useCheckout(): CheckoutContext {
  const context = useContext(Context);
  if (!context) throw new Error('This component needs a CheckoutProvider.');
  return context;
}

/** Starts what goes on while a checkout is shown; `viewState.stop` ends it. */
export function createCheckoutContext(
  model: CheckoutModel,
  { reader, go = () => {}, onClose, noScript }: ContextOptions = {},
): CheckoutContext {
  const viewState = createViewState(model, go);
  return {
    model,
    viewState,
    // Without a word there is nothing to press, and no label to read: it waits.
    state: computed(() => (model.translator.value.isLoading ? initialState : model.state.value)),
    translator: computed(() => ({ ...model.translator.value, ...reader })),
    settings: model.settings,
    isTimeUp: computed(() => viewState.remainingMs.value === 0),
    copied: signal(undefined),
    note: signal(undefined),
    onClose,
    noScript,
  };
}
