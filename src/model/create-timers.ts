import type { CheckoutModel } from './checkout-model.ts';
import { measureLook } from './last-checked.ts';
import { askBeforeLeaving } from './leaving.ts';
import { followStory } from './payment-story.ts';
import { offerReturn } from './return-redirect.ts';
import { countDown } from './time-left.ts';
import type { Timers } from './timers.ts';

/** Starts what goes on while a checkout is shown; `go` leads the page to an address. */
export function createTimers(model: CheckoutModel, go: (url: string) => void): Timers {
  const parts = [
    countDown(model),
    measureLook(model),
    followStory(model),
    offerReturn(model, go),
    askBeforeLeaving(model),
  ] as const;
  const [time, look, story, returning, leaving] = parts;
  return {
    ...time,
    ...look,
    ...story,
    ...returning,
    ...leaving,
    stop() {
      for (const { stop } of parts) stop();
    },
  };
}
