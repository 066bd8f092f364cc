import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quickStarts } from '../../docs/generate/examples.ts';
import { createFillPage } from '../../docs/generate/fill-page.ts';
import { tableNamesIn } from '../../docs/generate/markdown.ts';
import { tables } from '../../docs/generate/tables.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { pages } from './pages.ts';

describe('the generated tables', async () => {
  const fillPage = await createFillPage();

  it('are current (otherwise run `npm run docs`)', () => {
    const stale = pages.filter(({ text }) => fillPage(text) !== text);
    expect(stale.map(({ path }) => path)).toEqual([]);
  });

  it('are each on a page', () => {
    expect(pages.flatMap(({ text }) => tableNamesIn(text)).sort()).toEqual(Object.keys(tables).sort());
  });
});

describe.runIf(existsSync(join(projectFolder, '.git')))('the quick start', () => {
  it.each(Object.entries(quickStarts))('shows every file of the example %s', (name, steps) => {
    const options = ['ls-files', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', options, {
      cwd: join(projectFolder, 'demo/examples', name),
      encoding: 'utf8',
    });
    expect(['README.md', ...Object.values(steps).flat()].sort()).toEqual(files.trim().split('\n').sort());
  });
});
