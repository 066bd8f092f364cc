import type { CheckoutEventDetails, Emit } from '../core/machine/checkout-events.ts';
import { callbackName } from '../options/callbacks.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { whenIdle } from './dom/when-idle.ts';
import { warnUnknownNames } from './warn-unknown-names.ts';

type EmitOptions = {
  readonly target: () => Element | undefined;
  readonly options: () => CheckoutOptions;
  readonly report: (error: unknown) => void;
};

/**
 * Creates the function that emits an event: first to the option's callback, then on the target element, as one and the same
 * `CustomEvent`. Events bubble and cross shadow roots, except `error` and `close`, which the page's own listeners would mistake
 * for others. An error with an `onError` callback counts as handled.
 */
export function createEmit({ target, options, report }: EmitOptions): Emit {
  return (name, detail) => {
    const { payment } = detail as Partial<CheckoutEventDetails['ready']>;
    if (name === 'ready' && !payment?.liveMode) whenIdle(() => void warnUnknownNames(target(), options()));
    const bubbles = name !== 'error' && name !== 'close';
    const event = new CustomEvent(name.toLowerCase(), {
      detail,
      cancelable: true,
      bubbles,
      composed: bubbles,
    });
    const callback = options()[callbackName(name)] as ((event: CustomEvent) => void) | undefined;
    try {
      callback?.(event);
    } catch (error) {
      report(error);
    }
    target()?.dispatchEvent(event);
    return !event.defaultPrevented && !(name === 'error' && callback);
  };
}
