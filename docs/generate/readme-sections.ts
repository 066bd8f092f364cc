import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './pages.ts';

/** Returns a section of the README without its heading, for a page in a folder of `docs`. */
function sectionOf(heading: string): string {
  const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
  const [, section] = readme.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`README.md has no section ${heading}.`);
  return section
    .replace(/\n## [\s\S]*/, '')
    .replaceAll('](docs/', '](../')
    .trim();
}

export const readmeSections = {
  'readme-shop': () => sectionOf('A whole shop'),
  'readme-guarantees': () => sectionOf('What it guarantees'),
};
