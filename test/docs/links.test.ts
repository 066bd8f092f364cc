import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../docs/generate/markdown.ts';
import { packInto } from '../package/tool.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { type DocsPage, pages, repositoryPages } from './pages.ts';

const anchors = new Map(
  [...pages, ...repositoryPages].map(({ path, text }) => [
    path,
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  ]),
);

/** Returns the targets and headings that do not exist. */
const findBroken = ({ path, text }: DocsPage, isThere: (target: string) => boolean): string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)|<(?:img src|source [^>]*srcset)="([^"]+)"/g)].flatMap(
    ([, file = '', anchor = '', image = '']) => {
      const target = file || image ? normalize(join(path, '..', image || file)) : path;
      if (!isThere(target)) return [target];
      return anchor && !anchors.get(target)?.includes(anchor) ? [`${target}#${anchor}`] : [];
    },
  );

describe('links between pages', () => {
  it('point to files of the package, and to headings in them', async () => {
    const { paths } = await packInto();
    expect(pages.flatMap((page) => findBroken(page, (target) => paths.includes(target)))).toEqual([]);
  });

  it('of the repository point to its files, and to headings in them', () => {
    const isThere = (target: string) => existsSync(join(projectFolder, target));
    expect(repositoryPages.flatMap((page) => findBroken(page, isThere))).toEqual([]);
  });

  it('reach every page from the README', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const text = pages.find((page) => page.path === path)?.text ?? '';
      for (const [, file = ''] of text.matchAll(/\]\((?!https?:)([^)#]+\.md)/g))
        reached.add(normalize(join(path, '..', file)));
    }
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });
});
