import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quickStarts } from '../../docs/generate/examples.ts';
import { createFillPage } from '../../docs/generate/fill-page.ts';
import { tableNamesIn } from '../../docs/generate/markdown.ts';
import { casesOf, entriesOf, membersOf } from '../../docs/generate/source.ts';
import { tables } from '../../docs/generate/tables.ts';
import { acceptedAmountPolicies } from '../../server-kit/client/api/payment.ts';
import { checkoutEventNames } from '../../src/core/events.ts';
import { stateNames } from '../core/views.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { pages, readPage } from './pages.ts';

const namesOf = (type: string, folder: string): string[] =>
  membersOf(type, folder)
    .map(({ name }) => name)
    .sort();

describe('the generated tables', async () => {
  const fillPage = await createFillPage();

  it.each(pages)('are current in $path (otherwise run `npm run docs`)', ({ text }) => {
    expect(text).toBe(fillPage(text));
  });

  it('are each on a page', () => {
    expect(pages.flatMap(({ text }) => tableNamesIn(text)).sort()).toEqual(Object.keys(tables).sort());
  });

  it('describe every error and every route', () => {
    const described = [
      ...entriesOf('checkoutErrorStatus', 'src/contract'),
      ...casesOf('RouteName', 'server-kit'),
    ];
    const names = described.filter(({ description }) => description === '').map(({ name }) => name);
    expect(names).toEqual(['none']);
  });

  it('describe every option', () => {
    const described = [
      ...entriesOf('options', 'src/options'),
      ...entriesOf('appearanceOptions', 'src/options'),
    ];
    expect(described.filter(({ description }) => description === '')).toEqual([]);
  });

  it('list the events that the widget emits', () => {
    expect(namesOf('CheckoutEventDetails', 'src')).toEqual([...checkoutEventNames].sort());
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

const components = readdirSync(join(projectFolder, 'src/widget'), { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => readFileSync(join(projectFolder, 'src/widget', name), 'utf8'))
  .join('\n');
const parts = new Set([...components.matchAll(/\bpart="([\w-]+)"/g)].map(([, part = '']) => part));

describe('the written lists', () => {
  it.each(stateNames)('name the screen %s', (name) => {
    expect(readPage('docs/guide/screens-and-events.md').text).toContain(`\n| \`${name}\` |`);
  });

  it.each([...parts])('name the part %s for styles', (part) => {
    expect(readPage('docs/guide/styling.md').text).toContain(`\`${part}\``);
  });

  it.each(acceptedAmountPolicies)('say what %s accepts', (policy) => {
    expect(readPage('docs/reference/states.md').text).toContain(`\n| \`${policy}\``);
  });
});
