import { type ReadonlySignal, signal } from '@preact/signals';
import {
  type CheckoutEvents,
  createController,
  type Environment,
  initialState,
  paymentOf,
  type Session,
  type State,
} from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import { createText, type Text } from './text.ts';

export type CheckoutModelOptions = CheckoutEvents & {
  readonly environment: Environment;
  readonly baseUrl: string;
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  readonly session?: Session | undefined;
  readonly merchantName?: string | undefined;
  /** Where "Back to the shop" leads: an absolute http(s) URL. */
  readonly returnUrl?: string | undefined;
  readonly text?: Partial<Messages> | undefined;
  readonly theme?: 'light' | 'dark' | 'auto' | undefined;
};

/** All that the views show and may do. */
export type CheckoutModel = {
  readonly state: ReadonlySignal<State>;
  /** How much time there is to pay, in milliseconds; undefined until the service's clock is known. */
  readonly remainingMs: ReadonlySignal<number | undefined>;
  readonly text: Text;
  /** Adds words that are loaded later. */
  readonly learn: (more: Partial<Messages>) => void;
  readonly merchantName: string | undefined;
  readonly returnUrl: string | undefined;
  readonly theme: 'light' | 'dark' | 'auto';
  readonly restart: () => void;
  readonly refresh: () => void;
  readonly stop: () => void;
};

/** Starts a checkout and gives its state as signals. Refuses nothing: options are checked where they come in. */
export function createCheckoutModel(options: CheckoutModelOptions): CheckoutModel {
  const { merchantName, returnUrl, theme = 'auto' } = options;
  const state = signal(initialState);
  const remainingMs = signal<number | undefined>(undefined);
  const controller = createController({
    ...options,
    onState(next) {
      if (paymentOf(next)?.reference !== paymentOf(state.peek())?.reference) remainingMs.value = undefined;
      state.value = next;
    },
    onRemaining(ms) {
      remainingMs.value = ms;
    },
  });
  return { ...createText(options.text), ...controller, state, remainingMs, merchantName, returnUrl, theme };
}
