import { loadLazyPart } from '../core/connection/lazy-part.ts';
import { en } from '../i18n/en.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { policyKeys } from './description/explanation.ts';

/**
 * Logs unknown texts, and unknown attributes of the element or button, to the console; meant for test mode. They are not refused,
 * because another version of the widget may know them.
 */
export async function warnUnknownNames(
  target: Element | undefined,
  { text }: CheckoutOptions,
): Promise<void> {
  const part = await loadLazyPart('developer-warnings', () => import('./lazy/developer-warnings.ts')).catch(
    () => undefined,
  );
  const knownTexts = [...Object.keys(en), ...policyKeys, 'browserTooOld'];
  for (const warning of part?.warningsOf(Object.keys(text ?? {}), target, knownTexts) ?? []) {
    // biome-ignore lint/suspicious/noConsole: a warning for the developer, in test mode only
    console.warn(`transfer-checkout: ${warning}`);
  }
}
