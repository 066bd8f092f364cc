import { loadPart } from '../../core/index.ts';
import { en } from '../../i18n/en.ts';
import { ownPolicies } from '../../model/index.ts';
import { attributeOf } from './attribute-of.ts';
import { type CheckoutOptions, optionNames } from './options.ts';

/**
 * Writes to the console which texts and attributes nothing reads. They are not refused: a widget of another version may know
 * them, and attributes may be for somebody else. Meant for test mode only.
 *
 * @param teller the element or the button, where there is one
 */
export async function warnOfNames(teller: Element | undefined, { text }: CheckoutOptions): Promise<void> {
  const part = await loadPart(
    'developer-warnings',
    () => import('../../ui/lazy/developer-warnings.ts'),
  ).catch(() => undefined);
  const known = { texts: [...Object.keys(en), ...ownPolicies], options: optionNames, attributeOf };
  for (const warning of part?.warningsOf(Object.keys(text ?? {}), teller, known) ?? []) {
    // biome-ignore lint/suspicious/noConsole: a word for the developer, in test mode
    console.warn(`transfer-checkout: ${warning}`);
  }
}
