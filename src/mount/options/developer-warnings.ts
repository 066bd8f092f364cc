/** Global attributes, and those that frameworks write. */
const globalAttributes =
  /^(id|class|style|lang|dir|title|hidden|slot|part|role|tabindex|inert|nonce|translate|(data|aria|v|x|ng|nz|on|_).*|.*[^a-z-].*)$/;

/** A button's attributes that are not options. */
const otherAttributes = ['theme', 'density', 'reopen', 'transferCheckout'];

const normalise = (name: string): string => name.replace(/-/g, '').toLowerCase();

/** The names that this version knows. */
export type KnownNames = {
  readonly texts: readonly string[];
  readonly options: readonly string[];
  readonly attributeName: (option: string) => string;
};

/** Returns a warning for each unknown text, and for each unknown attribute of the checkout's element or button. */
export function warningsOf(
  texts: readonly string[],
  target: Element | undefined,
  known: KnownNames,
): string[] {
  return [
    ...texts
      .filter((key) => !known.texts.includes(key))
      .map((key) => `The text "${key}" is unknown and is never shown.`),
    ...unknownAttributes(target, known).map(
      (name) => `The attribute "${name}" is unknown and has no effect.`,
    ),
  ];
}

function unknownAttributes(target: Element | undefined, { options, attributeName }: KnownNames): string[] {
  const names = target?.getAttributeNames() ?? [];
  if (target?.localName === 'transfer-checkout') {
    const { observedAttributes } = target.constructor as unknown as { observedAttributes: string[] };
    const known = [...observedAttributes, 'modal', 'reopen'];
    return names.filter((name) => !globalAttributes.test(name) && !known.includes(name));
  }
  if (!target?.hasAttribute('data-transfer-checkout')) return [];
  // Other scripts use `data-` attributes, too: only a misspelt name of ours is a mistake.
  const ours = [...options, ...otherAttributes].map((name) => `data-${attributeName(name)}`);
  return names.filter(
    (name) => !ours.includes(name) && ours.some((one) => normalise(one) === normalise(name)),
  );
}
