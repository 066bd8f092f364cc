import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { importsOf, loadedBy } from '../package/imports.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { listFolder } from './project-files.ts';

const browser = ['src/contract', 'src/core', 'src/i18n', 'src/options', 'src/widget'];
const server = [
  'src/contract',
  'server-kit/core',
  'server-kit/service',
  'server-kit/engine',
  'server-kit/stores',
];

/** Each layer with those that it may import, types included. A file belongs to the longest folder that holds it. The linter finds circles. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'src/contract': [],
  'src/core': browser.slice(0, 1),
  'src/i18n': browser.slice(0, 2),
  'src/options': browser.slice(0, 3),
  'src/widget': browser.slice(0, 4),
  src: browser,
  'server-kit/core': server.slice(0, 1),
  'server-kit/service': server.slice(0, 2),
  'server-kit/engine': server.slice(0, 3),
  'server-kit/stores': server.slice(0, 4),
  'server-kit': server,
  'server-kit/tools': [...server, 'server-kit', 'src'],
  'server-kit/serve': [...server, 'server-kit', 'server-kit/tools'],
  'server-kit/tools/cli': [...server, 'server-kit', 'server-kit/tools', 'server-kit/serve'],
  demo: [...browser, ...server, 'src', 'server-kit', 'server-kit/tools'],
};

const layerOf = (path: string): string =>
  Object.keys(layers)
    .filter((layer) => path.startsWith(`${layer}/`))
    .sort((one, other) => other.length - one.length)[0] ?? path;

const entries: Readonly<Record<string, readonly string[]>> = tsconfig.compilerOptions.paths;

/** Returns the imports of a file that no layer below it has, a line each. */
function findUpwards(file: string, code: string): string[] {
  const paths = importsOf(code, file).flatMap((specifier) => {
    if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
    return entries[specifier]?.map((entry) => posix.normalize(entry)) ?? [];
  });
  const own = layerOf(file);
  const isAllowed = (path: string) =>
    path === 'package.json' || layerOf(path) === own || layers[own]?.includes(layerOf(path));
  return paths.filter((path) => !isAllowed(path)).map((path) => `${file} imports ${path}`);
}

it('lets a layer import only those below it', () => {
  const files = ['src', 'server-kit', 'demo'].flatMap(listFolder);
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.startsWith('demo/examples/'));
  const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
  expect(sources.flatMap((file) => findUpwards(file, read(file)))).toEqual([]);
});

it.each([
  ['src/core/machine/planted.ts', "import type { Look } from '../../../demo/look/model/look.ts';"],
  ['src/widget/planted.ts', "const kit = await import('../../server-kit/index.ts');"],
  ['server-kit/engine/planted.ts', "export * from '../tools/sandbox/index.ts';"],
  ['server-kit/core/planted.ts', "type Store = import('../engine/store.ts').Store;"],
  ['server-kit/stores/planted.ts', "import { createTestShop } from 'transfer-checkout/testing';"],
])('finds what %s may not have: %s', (file, code) => {
  expect(findUpwards(file, code)).toHaveLength(1);
});

it('loads the core and not the service with createCheckout, in at most 65 files and 7,560 lines', () => {
  const files = new Map<string, string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    const code = readFileSync(join(projectFolder, file), 'utf8');
    files.set(file, code);
    for (const path of loadedBy(code, file))
      if (path.startsWith('.')) visit(posix.join(posix.dirname(file), path));
  };
  visit('server-kit/engine/create-checkout.ts');
  const layersOf = new Set([...files.keys()].map(layerOf));
  expect([...layersOf].sort()).toEqual(['server-kit/core', 'server-kit/engine', 'src/contract']);
  expect(files.size).toBeLessThanOrEqual(65);
  const lines = [...files.values()].map((code) => code.split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(7560);
});

describe('the core', () => {
  const files = listFolder('server-kit/core').map((path) => ({
    path,
    code: readFileSync(join(projectFolder, path), 'utf8'),
  }));

  it('is read in half an hour: few files and lines', () => {
    const lines = files.map(({ code }) => code.split('\n').length - 1);
    expect(files.length).toBeLessThanOrEqual(16);
    expect(Math.max(...lines)).toBeLessThanOrEqual(250);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1995);
  });

  it('imports the contract, valibot and Node, and nothing else', () => {
    const isOurs = (name: string) => /^(\.\/[\w-]+|\.\.\/\.\.\/src\/contract\/[\w-]+)\.ts$/.test(name);
    const others = files
      .flatMap(({ path, code }) => importsOf(code, path))
      .filter((name) => !isOurs(name) && name !== 'valibot' && !isBuiltin(name));
    expect(others).toEqual([]);
  });
});
