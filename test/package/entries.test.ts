import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json';
import { projectFolder } from '../setup/demo-process.ts';
import { bundledIn, filesOf, foldersIn, packagesOf } from './imports.ts';
import { runTool } from './tool.ts';

/** What each entry imports besides valibot; `node:` stands for Node's own modules. */
const packagesByEntry = {
  '.': [],
  './element': [],
  './render': [],
  './react': ['react'],
  './server-kit': [],
  './server-kit/core': [],
  './server-kit/service': [],
  './server-kit/node': ['node:'],
  './server-kit/stores/sqlite': ['@libsql/client'],
  './server-kit/stores/postgres': ['pg'],
  './server-kit/client-key': ['node:'],
  './sandbox': [],
  './testing': [],
  './sandbox/node': ['node:'],
} as const;

const entriesForBrowsers = ['.', './element', './react', './render'] as const;

const entries = Object.entries(manifest.exports).flatMap(([entry, files]) =>
  typeof files === 'string' ? [] : [[entry, files.default] as const],
);

/** A project with the built package and only its regular dependencies, without optional ones and peers. */
async function installAlone(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-alone-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const own = join(folder, 'node_modules/transfer-checkout');
  await mkdir(own, { recursive: true });
  for (const part of ['dist', 'package.json'])
    await cp(join(projectFolder, part), join(own, part), { recursive: true });
  for (const name of Object.keys(manifest.dependencies)) {
    const from = join(projectFolder, 'node_modules', name);
    await cp(from, join(folder, 'node_modules', name), { recursive: true });
  }
  return folder;
}

describe('the entries of the package', () => {
  it('are all known here', () => {
    expect(entries.map(([entry]) => entry).sort()).toEqual(Object.keys(packagesByEntry).sort());
  });

  it.each([
    ['stores/sqlite', 'createSqliteStore'],
    ['stores/postgres', 'createPostgresStore'],
  ] as const)('./server-kit/%s has %s, and nothing of what it is made of', async (entry, name) => {
    const file = manifest.exports[`./server-kit/${entry}`].default;
    expect(Object.keys(await import(join(projectFolder, file)))).toEqual([name]);
  });

  it.each(entries)('have imports of their own packages and no other: %s', (entry, file) => {
    const expected: readonly string[] = packagesByEntry[entry as keyof typeof packagesByEntry];
    expect(packagesOf(join(projectFolder, file)).filter((name) => name !== 'valibot')).toEqual(expected);
  });

  const filesOfAll = (files: readonly string[]): string[] => [
    ...new Set(files.flatMap((file) => filesOf(join(projectFolder, file)))),
  ];

  it('share one copy of what is bundled for browsers', () => {
    const files = filesOfAll(entriesForBrowsers.map((entry) => manifest.exports[entry].default));
    expect(files.flatMap(bundledIn).sort()).toEqual([
      '@preact/signals',
      '@preact/signals-core',
      'dijkstrajs',
      'preact',
      'preact-render-to-string',
      'qrcode',
    ]);
  });

  it('hold no Preact and no signals, but for browsers', () => {
    const others = entries.filter(([entry]) => !entriesForBrowsers.some((one) => one === entry));
    expect(filesOfAll(others.map(([, file]) => file)).flatMap(bundledIn)).toEqual([]);
  });

  it('hold the core without the checkout and the service', () => {
    const folders = filesOfAll(['dist/server-kit-core.js']).flatMap(foldersIn);
    expect([...new Set(folders)].sort()).toEqual(['server-kit/core', 'src/contract']);
  });

  it('are installed with the packages that they import, or name them as optional', () => {
    const used = new Set<string>(Object.values(packagesByEntry).flat());
    used.delete('node:');
    for (const name of used) {
      const { dependencies, optionalDependencies } = manifest;
      const isDependency = Object.hasOwn({ ...dependencies, ...optionalDependencies }, name);
      expect(isDependency || Object.hasOwn(manifest.peerDependenciesMeta, name), name).toBe(true);
    }
  });

  it('say in one line which package is missing, and work without where it is not theirs', async () => {
    const folder = await installAlone();
    const script = `
      for (const entry of ['', '/core', '/service', '/client-key', '/stores/sqlite', '/stores/postgres'])
        await import('transfer-checkout/server-kit' + entry).then(
          () => console.log('ok'),
          ({ message }) => console.log(message.split(' imported from')[0]),
        );
      const { createSqliteStore } = await import('transfer-checkout/server-kit/stores/sqlite');
      await createSqliteStore({ url: 'file:shop.db' }).find({ orderId: '1' }).catch(({ message }) => console.log(message));`;
    const { output } = await runTool('node', ['--input-type=module', '--eval', script], { folder });
    expect(output.trim().split('\n')).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
      'ok',
      "Cannot find package 'pg'",
      expect.stringContaining(
        `npm install @libsql/client@${manifest.optionalDependencies['@libsql/client']}`,
      ),
    ]);
  });
});
