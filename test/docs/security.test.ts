import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { projectFolder } from '../setup/demo-process.ts';
import { listFolder } from '../source/project-files.ts';
import { readPage } from './pages.ts';

const { text } = readPage('docs/security.md');
const [, table = ''] = /^\| who \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(text) ?? [];
const rows = table
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()))
  .map(([, who = '', could = '', stops = '', shown = '']) => ({ who, could, stops, shown }));
const namedIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const exists = (path: string): boolean => existsSync(join(projectFolder, path));
const testFiles = listFolder('test').filter((path) => /\.test\.tsx?$/.test(path));

const attackers = [
  ...[
    'a shopper',
    'another shopper on the same device',
    'another shop',
    'other scripts and markup of the page',
  ],
  ...['a client on the network', 'a forger of callbacks', 'somebody with a leaked client secret'],
  ...['somebody with leaked keys', 'an operator', 'a curious employee', 'the supply chain'],
];

describe('the table of threats', () => {
  it.each(attackers)('has %s', (attacker) => {
    expect(rows.filter(({ who }) => who.startsWith(attacker))).not.toEqual([]);
  });

  it.each(rows)('names for $who ($could) a file that stops it, which exists', ({ stops }) => {
    const files = namedIn(stops).filter((name) => /^(src|server-kit)\/|^package\.json$/.test(name));
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !exists(file))).toEqual([]);
  });

  it.each(rows)('names for $who ($could) a test that shows it, and only tests that exist', ({ shown }) => {
    const named = namedIn(shown);
    const tests = named.filter((name) => name.endsWith('.test.ts'));
    expect(tests).not.toEqual([]);
    expect(named.filter((name) => !name.startsWith('npm run ') && !exists(name))).toEqual([]);
  });
});

describe('the page on security', () => {
  it('names only files that exist', () => {
    const files = namedIn(text).filter((name) => /^(src|server-kit|test|docs)\/\S+$/.test(name));
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !exists(file))).toEqual([]);
  });

  it('names only commands that exist', () => {
    const scripts = namedIn(text).flatMap((code) => /\bnpm run ([\w:]+)/.exec(code)?.[1] ?? []);
    expect(scripts.length).toBeGreaterThan(10);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  it('names only commands that select test files', () => {
    const commands = namedIn(text).flatMap((code) => {
      const [, kind, words = ''] = /(npx vitest run|npm run test:full)((?: \S+)*)$/.exec(code) ?? [];
      const filters = words
        .replace(/ --\S+ \S+/, '')
        .split(' ')
        .filter(Boolean);
      return filters.map((filter) => ({ isFull: kind === 'npm run test:full', filter }));
    });
    expect(commands.length).toBeGreaterThan(10);
    const selects = ({ isFull, filter }: (typeof commands)[number]): boolean =>
      testFiles.some((file) => file.includes(filter) && file.endsWith('.full.test.ts') === isFull);
    expect(commands.filter((command) => !selects(command))).toEqual([]);
  });

  it('names only benchmarks that exist', () => {
    const benches = namedIn(text).flatMap((code) => /^npm run bench -- (\w+)/.exec(code)?.[1] ?? []);
    expect(benches.length).toBeGreaterThan(1);
    expect(benches.filter((name) => !exists(`test/bench/${name}/main.ts`))).toEqual([]);
  });
});
