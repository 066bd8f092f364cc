/** Markup, as opposed to text that is still to be escaped. */
export type Html = { readonly markup: string };

type Part = string | number | Html | readonly Html[] | undefined;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

const toMarkup = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part !== 'object') return `${part}`.replace(/[&<"]/g, (character) => entities[character] ?? '');
  return 'markup' in part ? part.markup : part.map(toMarkup).join('');
};

/** Returns markup with its strings escaped, for the content of elements and for attributes in double quotes. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: String.raw({ raw: literals }, ...parts.map(toMarkup)),
});
