/** What any element may have, and what frameworks write on it. */
const ofAnybody =
  /^(id|class|style|lang|dir|title|hidden|slot|part|role|tabindex|inert|nonce|translate|(data|aria|v|x|ng|nz|on|_).*|.*[^a-z-].*)$/;

/** What a button has beside options. */
const others = ['theme', 'density', 'reopen', 'transferCheckout'];

const bare = (name: string): string => name.replace(/-/g, '').toLowerCase();

/** The names that the checkout knows. */
export type KnownNames = {
  readonly texts: readonly string[];
  readonly options: readonly string[];
  /** The attribute of an option. */
  readonly attributeOf: (option: string) => string;
};

/** Says which texts of a checkout, and which attributes of its element or button, nothing reads: a sentence each. */
export function warningsOf(
  texts: readonly string[],
  teller: Element | undefined,
  known: KnownNames,
): string[] {
  return [
    ...texts
      .filter((key) => !known.texts.includes(key))
      .map((key) => `The text "${key}" is unknown, and is shown nowhere.`),
    ...unreadAttributes(teller, known).map(
      (name) => `The attribute "${name}" is unknown, and nothing reads it.`,
    ),
  ];
}

function unreadAttributes(teller: Element | undefined, { options, attributeOf }: KnownNames): string[] {
  const names = teller?.getAttributeNames() ?? [];
  if (teller?.localName === 'transfer-checkout') {
    const { observedAttributes } = teller.constructor as unknown as { observedAttributes: string[] };
    const known = [...observedAttributes, 'modal', 'reopen'];
    return names.filter((name) => !ofAnybody.test(name) && !known.includes(name));
  }
  if (!teller?.hasAttribute('data-transfer-checkout')) return [];
  // A button's `data-` is for everybody: only what is one of ours in another spelling is a mistake.
  const ours = [...options, ...others].map((name) => `data-${attributeOf(name)}`);
  return names.filter((name) => !ours.includes(name) && ours.some((one) => bare(one) === bare(name)));
}
