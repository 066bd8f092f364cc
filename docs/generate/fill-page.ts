import manifest from '../../package.json';
import { fillIn } from './markdown.ts';
import { tables } from './tables.ts';

/** The version in the name of a built file or of a folder of them. */
const versions =
  /(?<=\b(?:checkout-widget|transfer-checkout)-)\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?(?=\.js|\.tgz|\/)/g;

/** Makes all tables, and returns the function that writes them, and the version, into a page. */
export async function createFillPage(): Promise<(page: string) => string> {
  const made = await Promise.all(
    Object.entries(tables).map(async ([name, make]) => [name, await make()] as const),
  );
  const byName = new Map(made);
  return (page) => fillIn(page, byName).replace(versions, manifest.version);
}
