const globalAttributes =
  /^(id|class|style|lang|dir|title|hidden|slot|part|role|tabindex|inert|nonce|translate|(data|aria|v|x|ng|nz|on|_).*|.*[^a-z-].*)$/;

const normalise = (name: string): string => name.replace(/-/g, '').toLowerCase();

export function warningsOf(
  texts: readonly string[],
  target: Element | undefined,
  knownTexts: readonly string[],
): string[] {
  return [
    ...texts
      .filter((key) => !knownTexts.includes(key))
      .map((key) => `The text "${key}" is unknown and is never shown.`),
    ...unknownAttributes(target).map((name) => `The attribute "${name}" is unknown and has no effect.`),
  ];
}

function unknownAttributes(target: Element | undefined): string[] {
  const names = target?.getAttributeNames() ?? [];
  if (target?.localName === 'transfer-checkout') {
    const known = [...optionAttributes(), 'modal', 'reopen'];
    return names.filter((name) => !globalAttributes.test(name) && !known.includes(name));
  }
  if (!target?.hasAttribute('data-transfer-checkout')) return [];
  // Other scripts use `data-` attributes, too: only a misspelt name of ours is a mistake.
  const ours = [...optionAttributes(), 'reopen', 'transfer-checkout'].map((name) => `data-${name}`);
  return names.filter(
    (name) => !ours.includes(name) && ours.some((one) => normalise(one) === normalise(name)),
  );
}

/** Where there are buttons, the element is defined, too. */
function optionAttributes(): readonly string[] {
  const element = customElements.get('transfer-checkout') as { observedAttributes?: string[] } | undefined;
  return element?.observedAttributes ?? [];
}
