import { readFileSync } from 'node:fs';
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
