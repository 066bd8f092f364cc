import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../docs/generate/markdown.ts';
import manifest from '../../package.json';
import { projectFolder } from '../setup/demo-process.ts';
import { pages, readPage, repositoryPages, writtenText } from './pages.ts';

const scripts = Object.keys(manifest.scripts);
const exists = (path: string): boolean => existsSync(join(projectFolder, path));

describe('the pages for those who work on the project', () => {
  it('are there', () => {
    expect(repositoryPages.map(({ path }) => path)).toEqual(
      ['CODE_OF_CONDUCT', 'CONTRIBUTING', 'SECURITY', 'pull_request_template'].map(
        (name) => `.github/${name}.md`,
      ),
    );
  });

  it.each(repositoryPages)('link from $path to files of the repository, and to headings in them', (page) => {
    for (const [, file = '', anchor] of page.text.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)) {
      const target = file === '' ? page.path : normalize(join(page.path, '..', file));
      expect(exists(target), target).toBe(true);
      if (!anchor) continue;
      const headings = [...readPage(target).text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
      expect(headings.map(anchorOf), `${target}#${anchor}`).toContain(anchor);
    }
  });

  it.each(repositoryPages)('name in $path only files and folders that exist', ({ text }) => {
    const named = [
      ...text.matchAll(/(?<![\w./-])(?:src|server-kit|demo|docs|test|\.github|\.ci)\/[\w./-]*\w/g),
    ];
    expect(named.map(([path]) => path).filter((path) => !exists(path))).toEqual([]);
  });
});

describe('the commands that a page names', () => {
  it.each([...pages, ...repositoryPages])('are scripts of package.json: $path', (page) => {
    const named = [...writtenText(page).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

const workflows = readdirSync(join(projectFolder, '.github/workflows')).map((name) => ({
  name,
  text: readFileSync(join(projectFolder, '.github/workflows', name), 'utf8'),
}));

describe.each(workflows)('the workflow $name', ({ text }) => {
  it('runs actions by the hash of a commit, beside the version that it is', () => {
    const actions = [...text.matchAll(/\buses: (.*)/g)].map(([, action = '']) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) {
      expect(action).toMatch(
        /^(\.\/\.github\/workflows\/[\w-]+\.yml|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      );
    }
  });

  it('may read the repository, and has other rights only where a job needs them', () => {
    expect(text).toContain('\npermissions:\n  contents: read\n\n');
  });

  it('runs scripts of package.json', () => {
    const named = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});
