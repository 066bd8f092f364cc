import { fillIn } from './markdown.ts';
import { tables } from './tables.ts';

/** Makes all tables, and returns the function that writes them into a page. */
export async function createFillPage(): Promise<(page: string) => string> {
  const made = await Promise.all(
    Object.entries(tables).map(async ([name, make]) => [name, await make()] as const),
  );
  const byName = new Map(made);
  return (page) => fillIn(page, byName);
}
