import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fillIn } from './markdown.ts';
import { projectFolder } from './source.ts';
import { tables } from './tables.ts';

/** Returns the paths of the documentation's pages, the README first. */
export function listPages(): string[] {
  const names = readdirSync(join(projectFolder, 'docs'), { encoding: 'utf8', recursive: true });
  return [
    'README.md',
    ...names
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
      .sort(),
  ];
}

export type FillPage = (page: string) => string;

/** Makes all tables, and returns the function that writes them into a page. */
export async function createFillPage(): Promise<FillPage> {
  const made = await Promise.all(
    Object.entries(tables).map(async ([name, make]) => [name, await make()] as const),
  );
  const byName = new Map(made);
  return (page) => fillIn(page, byName);
}
