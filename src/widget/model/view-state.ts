import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { State } from '../../core/machine/state.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { StateDetails } from '../description/explanation.ts';
import type { CheckoutModel } from './checkout-model.ts';
import { type LastCheck, trackLastCheck } from './last-check.ts';
import { confirmLeaving, type Leaving } from './leaving.ts';
import { type ReturnRedirect, startReturnRedirect } from './return-redirect.ts';
import { trackStateDetails } from './state-details.ts';
import { type TimeLeft, trackTimeLeft } from './time-left.ts';

/** An attempt to copy a value. `count` distinguishes two attempts at the same value. */
export type CopyAttempt = {
  readonly field: keyof Messages;
  readonly value: string;
  readonly isCopied: boolean;
  readonly count: number;
};

/** What a shown checkout knows beyond its state: signals that change with time, the dialog before leaving, and the shopper's last actions. */
export type ViewState = {
  readonly timeLeft: TimeLeft;
  readonly lastCheck: LastCheck;
  readonly details: ReadonlySignal<StateDetails>;
  readonly returnRedirect: ReturnRedirect;
  readonly leaving: Leaving;
  readonly lastCopy: Signal<CopyAttempt | undefined>;
  /** What to do when an action may not have worked; shown until the screen changes. */
  readonly hint: Signal<{ readonly text: string; readonly screen: State['name'] } | undefined>;
  readonly stop: () => void;
};

/** Starts the timers of a shown checkout. `navigate` opens a URL in the page. */
export function createViewState(model: CheckoutModel, navigate: (url: string) => void): ViewState {
  const timeLeft = trackTimeLeft(model);
  const lastCheck = trackLastCheck(model);
  const tracked = trackStateDetails(model);
  const returnRedirect = startReturnRedirect(model, navigate);
  const leaving = confirmLeaving(model);
  return {
    timeLeft,
    lastCheck,
    details: tracked.details,
    returnRedirect,
    leaving,
    lastCopy: signal(undefined),
    hint: signal(undefined),
    stop() {
      for (const { stop } of [timeLeft, lastCheck, tracked, returnRedirect, leaving]) stop();
    },
  };
}
