export const code = (text: string): string => `\`${text}\``;

/** The name that a Markdown viewer gives to a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

export const block = (text: string, language = 'text'): string => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

/** Returns a table; a cell may hold paragraphs and lists, as doc comments do. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(toCell).join(' | ')} |`.replace(/ +/g, ' ')).join('\n');
}

const toCell = (text: string): string =>
  text
    .trim()
    .replace(/\n\n+/g, '<br>')
    .replace(/\n- /g, '<br>• ')
    .replace(/<br>- /g, '<br>• ')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|');

const marked = /(<!-- generated:([\w-]+) -->\n)(?:(?!<!-- generated:)[\s\S])*?(<!-- \/generated -->)/g;

/** Returns the names of the tables that a page asks for. */
export const tableNamesIn = (page: string): string[] =>
  [...page.matchAll(marked)].map(([, , name = '']) => name);

/**
 * Returns the page with each table between its markers replaced.
 *
 * @throws {Error} for a name that no table has
 */
export function fillIn(page: string, tables: ReadonlyMap<string, string>): string {
  return page.replace(marked, (_, start: string, name: string, end: string) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`There is no table ${name} in docs/generate/tables.ts.`);
    return `${start}${table}\n${end}`;
  });
}
