import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** What the build of the site writes: the TypeScript reference. Git and the package do not have it. */
export const typescriptFolder = 'docs/reference/typescript/';

/** Returns the paths of the documentation's pages, the README first. */
export function listPages(): string[] {
  const names = readdirSync(join(projectFolder, 'docs'), { encoding: 'utf8', recursive: true });
  const pages = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', ...pages.filter((path) => !path.startsWith(typescriptFolder)).sort()];
}
