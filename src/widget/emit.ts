import type { CheckoutEventDetails, Emit } from '../core/events.ts';
import { loadPart } from '../core/load-part.ts';
import { en } from '../i18n/en.ts';
import { type CheckoutOptions, callbackName } from '../options/options.ts';
import { policyKeys } from './description/explanation.ts';
import { whenIdle } from './dom/page.ts';

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

/**
 * Logs unknown texts, and unknown attributes of the element or button, to the console; meant for test mode. They are not refused,
 * because another version of the widget may know them.
 */
export async function warnUnknownNames(
  target: Element | undefined,
  { text }: CheckoutOptions,
): Promise<void> {
  const part = await loadPart('developer-warnings', () => import('./lazy/developer-warnings.ts')).catch(
    () => undefined,
  );
  const knownTexts = [...Object.keys(en), ...policyKeys, 'browserTooOld'];
  for (const warning of part?.warningsOf(Object.keys(text ?? {}), target, knownTexts) ?? []) {
    // biome-ignore lint/suspicious/noConsole: a warning for the developer, in test mode only
    console.warn(`transfer-checkout: ${warning}`);
  }
}
