/** What the views make, in Preact as in our own few lines of it. */
type Node = { readonly type: string | ((props: never) => unknown); readonly props: Record<string, unknown> };

/** Elements of HTML that have no end tag, of those that the views use. */
const voidElements: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'link']);

/**
 * Writes what a view makes as HTML. All text is text, whatever it holds. Handlers, references and inline styles are left
 * out: the first two mean nothing there, and no strict policy lets the last pass.
 */
export function toHtml(node: unknown): string {
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (Array.isArray(node)) return node.map(toHtml).join('');
  if (typeof node !== 'object') return escapeHtml(`${node}`);
  const { type, props } = node as Node;
  if (typeof type === 'function') return toHtml(type(props as never));
  const start = `<${type}${attributesToHtml(props)}>`;
  return voidElements.has(type) ? start : `${start}${toHtml(props.children)}</${type}>`;
}

/** Attributes as the views name them: `tabIndex` is `tabindex`. Each has a space before it. */
export function attributesToHtml(props: Readonly<Record<string, unknown>>): string {
  return Object.entries(props).map(attributeToHtml).join('');
}

function attributeToHtml([name, value]: [string, unknown]): string {
  const isLeftOut = /^(children|key|ref|style|on[A-Z].*)$/.test(name);
  // `aria-` attributes say something by "false", too.
  const isAbsent = value === null || value === undefined || (value === false && !name.startsWith('aria-'));
  if (isLeftOut || isAbsent) return '';
  const written = name === 'tabIndex' ? 'tabindex' : name;
  return value === true && !name.startsWith('aria-')
    ? ` ${written}`
    : ` ${written}="${escapeHtml(`${value}`)}"`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, between tags and between quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
