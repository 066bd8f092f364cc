/** Returns attributes as HTML, each after a space. */
export function attributesToHtml(attributes: Readonly<Record<string, unknown>>): string {
  return Object.entries(attributes).map(attributeToHtml).join('');
}

function attributeToHtml([name, value]: [string, unknown]): string {
  if (value === null || value === undefined || value === false) return '';
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(`${value}`)}"`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
