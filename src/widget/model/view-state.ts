import type { ReadonlySignal } from '@preact/signals';
import type { StateDetails } from '../description/explanation.ts';
import type { CheckoutModel } from './checkout-model.ts';
import { type LastCheck, trackLastCheck } from './last-check.ts';
import { confirmLeaving, type Leaving } from './leaving.ts';
import { type ReturnRedirect, startReturnRedirect } from './return-redirect.ts';
import { trackStateDetails } from './state-details.ts';
import { type TimeLeft, trackTimeLeft } from './time-left.ts';

/** What a shown checkout knows beyond its state: signals that change with time, and the dialog before leaving. */
export type ViewState = {
  readonly timeLeft: TimeLeft;
  readonly lastCheck: LastCheck;
  readonly details: ReadonlySignal<StateDetails>;
  readonly returnRedirect: ReturnRedirect;
  readonly leaving: Leaving;
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
    stop() {
      for (const { stop } of [timeLeft, lastCheck, tracked, returnRedirect, leaving]) stop();
    },
  };
}
