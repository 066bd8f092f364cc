import type { CheckoutModel } from './checkout-model.ts';
import { type LastCheck, trackLastCheck } from './last-check.ts';
import { confirmLeaving, type Leaving } from './leaving.ts';
import { type ReturnRedirect, startReturnRedirect } from './return-redirect.ts';
import { type StateDetailSignals, trackStateDetails } from './state-details.ts';
import { type TimeLeft, trackTimeLeft } from './time-left.ts';

/** What a shown checkout knows beyond its state: signals that change with time, and the dialog before leaving. */
export type ViewState = TimeLeft & LastCheck & StateDetailSignals & ReturnRedirect & Leaving;

/** Starts the timers of a shown checkout. `navigate` opens a URL in the page. */
export function createViewState(model: CheckoutModel, navigate: (url: string) => void): ViewState {
  const parts = [
    trackTimeLeft(model),
    trackLastCheck(model),
    trackStateDetails(model),
    startReturnRedirect(model, navigate),
    confirmLeaving(model),
  ] as const;
  const [timeLeft, lastCheck, stateDetails, returnRedirect, leaving] = parts;
  return {
    ...timeLeft,
    ...lastCheck,
    ...stateDetails,
    ...returnRedirect,
    ...leaving,
    stop() {
      for (const { stop } of parts) stop();
    },
  };
}
