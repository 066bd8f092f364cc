import { readdirSync, readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

/** Reads the sidebar from the tables of the first page: a group for each table, and a link for each row. */
export function readSidebar(): DefaultTheme.SidebarItem[] {
  const page = readFileSync(new URL('../index.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| (\w[\w ]*) \| \|\n((?:\|.*\n)+)/gm)].map(([, name = '', rows = '']) => ({
    text: name.charAt(0).toUpperCase() + name.slice(1),
    items: [...rows.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\.md\)/gm)].map(([, text = '', path = '']) => ({
      text,
      link: `/${path.replace(/\bindex$/, '')}`,
    })),
  }));
}

/** The pages that `npm run docs -- site` writes before the site is built, by the names of the entries. */
export function readTypescriptPages(): DefaultTheme.SidebarItem {
  const names = readdirSync(new URL('../reference/typescript', import.meta.url)).map((name) =>
    name.replace(/\.md$/, ''),
  );
  const entryOf = (name: string): string => {
    const page = readFileSync(new URL(`../reference/typescript/${name}.md`, import.meta.url), 'utf8');
    return page.slice('# '.length, page.indexOf('\n'));
  };
  const items = names.map((name) => ({ text: entryOf(name), link: `/reference/typescript/${name}` }));
  return { text: 'TypeScript', items: items.sort((a, b) => a.text.localeCompare(b.text)) };
}
