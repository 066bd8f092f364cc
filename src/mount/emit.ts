import type { Emit } from '../core/index.ts';
import { type CheckoutOptions, callbackName } from './options/options.ts';

/** The page as it is when something happens. */
type Page = {
  readonly element: () => Element | undefined;
  readonly options: () => CheckoutOptions;
  readonly report: (error: unknown) => void;
};

/**
 * Tells a page what happens: its callback first, then the element, with one and the same event. Events bubble and cross
 * shadow roots, but for `error` and `close`, which a page's own listeners would take for something else. An error that
 * has a callback of its own counts as handled.
 */
export function createEmit({ element, options, report }: Page): Emit {
  return (name, detail) => {
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
    element()?.dispatchEvent(event);
    return !event.defaultPrevented && !(name === 'error' && callback);
  };
}
