import { en } from '../locales/en.ts';
import { attributeOf } from './attribute-of.ts';
import { type CheckoutOptions, optionNames } from './options.ts';

/** What any element may have, and what frameworks write on it. */
const ofAnybody =
  /^(id|class|style|lang|dir|title|hidden|slot|part|role|tabindex|inert|nonce|translate|(data|aria|v|x|ng|nz|on|_).*|.*[^a-z-].*)$/;

/** What a button has beside options. */
const others = ['theme', 'density', 'reopen', 'transferCheckout'];

const bare = (name: string): string => name.replace(/-/g, '').toLowerCase();

/**
 * Writes to the console which texts and attributes nothing reads. They are not refused: a widget of another version may know
 * them, and attributes may be for somebody else. Meant for test mode only.
 *
 * @param teller the element or the button, where there is one
 */
export async function warnOfNames(teller: Element | undefined, { text }: CheckoutOptions): Promise<void> {
  const { words, ownPolicies } = await import('../views/more.ts');
  const keys = [...Object.keys(en), ...Object.keys(words), ...ownPolicies, 'loadFailed'];
  const texts = Object.keys(text ?? {}).filter((key) => !keys.includes(key));
  for (const key of texts) warn(`The text "${key}" is unknown, and is shown nowhere.`);
  for (const name of unreadAttributes(teller))
    warn(`The attribute "${name}" is unknown, and nothing reads it.`);
}

function unreadAttributes(teller: Element | undefined): string[] {
  const names = teller?.getAttributeNames() ?? [];
  if (teller?.localName === 'transfer-checkout') {
    const { observedAttributes } = teller.constructor as unknown as { observedAttributes: string[] };
    const known = [...observedAttributes, 'modal', 'reopen'];
    return names.filter((name) => !ofAnybody.test(name) && !known.includes(name));
  }
  if (!teller?.hasAttribute('data-transfer-checkout')) return [];
  // A button's `data-` is for everybody: only what is one of ours in another spelling is a mistake.
  const ours = [...optionNames, ...others].map((name) => `data-${attributeOf(name)}`);
  return names.filter((name) => !ours.includes(name) && ours.some((one) => bare(one) === bare(name)));
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a word for the developer, in test mode
  console.warn(`transfer-checkout: ${message}`);
}
