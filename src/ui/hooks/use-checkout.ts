import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext, type RefObject } from 'preact';
import { useContext } from 'preact/hooks';
import {
  type CheckoutModel,
  createTimers,
  initialState,
  type Settings,
  type Speech,
  type State,
  type Timers,
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
  readonly timers: Timers;
  /** The state to show: `loading` until there are messages for another one. */
  readonly state: ReadonlySignal<State>;
  readonly speech: ReadonlySignal<Speech>;
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
  /** What to read in a browser without scripts. */
  readonly noScript?: string | undefined;
};

export type ContextOptions = Pick<CheckoutContext, 'onClose' | 'noScript'> & {
  /** The reader's languages and time zone. */
  readonly reader?: Pick<Speech, 'preferred' | 'timeZone'>;
  /** Navigates the page. */
  readonly go?: (url: string) => void;
};

const Context = createContext<CheckoutContext | undefined>(undefined);
export const CheckoutProvider = Context.Provider;

/** Returns the checkout's context. */
export function useCheckout(): CheckoutContext {
  const context = useContext(Context);
  if (!context) throw new Error('CheckoutProvider is missing.');
  return context;
}

/** Creates the context of a checkout and starts its timers; `timers.stop` stops them. */
export function createCheckoutContext(
  model: CheckoutModel,
  { reader, go = () => {}, onClose, noScript }: ContextOptions = {},
): CheckoutContext {
  const timers = createTimers(model, go);
  return {
    model,
    timers,
    // Without messages no button and no field would have a label.
    state: computed(() => (model.speech.value.isSilent ? initialState : model.state.value)),
    speech: computed(() => ({ ...model.speech.value, ...reader })),
    settings: model.settings,
    isTimeUp: computed(() => timers.remainingMs.value === 0),
    lastCopy: signal(undefined),
    hint: signal(undefined),
    card: { current: null },
    onClose,
    noScript,
  };
}
