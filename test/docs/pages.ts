import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPages, projectFolder } from '../../docs/generate/pages.ts';

/** A page of the documentation: the README, or a file below `docs`. */
export type DocsPage = { readonly path: string; readonly text: string };

export const readPage = (path: string): DocsPage => ({
  path,
  text: readFileSync(join(projectFolder, path), 'utf8'),
});

export const pages: readonly DocsPage[] = listPages().map(readPage);

/** The pages for those who work on the project, where code hosts look for them. They are not packed. */
export const repositoryPages: readonly DocsPage[] = readdirSync(join(projectFolder, '.github'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => readPage(`.github/${name}`));

/** Returns the text that people wrote: without the generated tables. */
const writtenText = ({ text }: DocsPage): string =>
  text.replace(/<!-- generated:[\w-]+ -->\n[\s\S]*?<!-- \/generated -->/g, '');

/** Returns the code samples in one of the languages that people wrote into a page. */
export const samplesOf = (page: DocsPage, language: string): string[] =>
  [...writtenText(page).matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, kind, sample = '']) =>
    kind === language ? [sample] : [],
  );
