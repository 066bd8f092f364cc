import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../docs/generate/markdown.ts';
import { packInto } from '../package/tool.ts';
import { pages } from './pages.ts';

const anchors = new Map(
  pages.map(({ path, text }) => [
    path,
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  ]),
);

describe('links between pages', async () => {
  const { paths: packed } = await packInto();

  it('exist on most pages', () => {
    expect(pages.filter(({ text }) => /\]\([\w./-]+\.md/.test(text)).length).toBeGreaterThan(15);
  });

  it.each(pages)('point from $path to files of the package, and to headings in them', ({ path, text }) => {
    const links = [
      ...text.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)|<(?:img src|source [^>]*srcset)="([^"]+)"/g),
    ];
    for (const [, file = '', anchor = '', image] of links) {
      const target = file || image ? normalize(join(path, '..', image ?? file)) : path;
      expect(packed, `${path}: ${file || image}`).toContain(target);
      if (anchor) expect(anchors.get(target), `${path}: ${file}#${anchor}`).toContain(anchor);
    }
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
