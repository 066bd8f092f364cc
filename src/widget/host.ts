import { CheckoutError } from '../contract/index.ts';

/** For each host, how to remove what it shows. */
const removeByHost = new WeakMap<Element, () => void>();

/**
 * Returns the shadow root of an element.
 *
 * @throws {CheckoutError} `invalid_options` when the element cannot have one
 */
export function openShadowRoot(element: Element): ShadowRoot {
  try {
    return element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  } catch (cause) {
    const message = 'The checkout needs an element that can have a shadow root, such as a <div>.';
    throw new CheckoutError('invalid_options', message, { cause });
  }
}

/** Removes what a host shows, to show something else there. `remove` is called when that is replaced in turn. */
export function takeHost(host: Element, remove: () => void): void {
  removeByHost.get(host)?.();
  removeByHost.set(host, remove);
}

/** Says that the host shows nothing any more. */
export const releaseHost = (host: Element): void => void removeByHost.delete(host);
