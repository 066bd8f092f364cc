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

/** Creates the function that emits an event: to the option's callback, then on the target. `error` and `close` do not bubble. */
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

/** Logs unknown texts and attributes to the console. Another version of the widget may know them. */
async function warnUnknownNames(target: Element | undefined, { text }: CheckoutOptions): Promise<void> {
  const part = await loadPart('developer-warnings', () => import('./lazy/developer-warnings.ts')).catch(
    () => undefined,
  );
  const knownTexts = [...Object.keys(en), ...policyKeys, 'browserTooOld'];
  for (const warning of part?.warningsOf(Object.keys(text ?? {}), target, knownTexts) ?? []) {
    // biome-ignore lint/suspicious/noConsole: a warning for the developer, in test mode only
    console.warn(`transfer-checkout: ${warning}`);
  }
}
