import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { projectFolder } from '../setup/demo-process.ts';
import { runTool } from './tool.ts';

type Locked = {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  hasInstallScript?: true;
} & { [kind in 'dependencies' | 'optionalDependencies']?: Record<string, string> };

const { packages } = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const { '': _own, ...locked } = packages;
const folders = Object.entries(locked).map(([folder, one]) => ({ folder, ...one }));

/** The folders of these packages, and of what each needs, as npm resolves them from a folder. */
function treeOf(names: readonly string[], from = '', found = new Set<string>()): Set<string> {
  for (const name of names) {
    const parents = from === '' ? [''] : [`${from}/`, ''];
    const folder = parents.map((parent) => `${parent}node_modules/${name}`).find((one) => one in locked);
    if (folder === undefined || found.has(folder)) continue;
    const { dependencies, optionalDependencies } = locked[folder] ?? {};
    treeOf(Object.keys({ ...dependencies, ...optionalDependencies }), folder, found.add(folder));
  }
  return found;
}

/** What npm installs with the package, besides itself: on each platform, one of the optional binaries. */
const required = treeOf(Object.keys(manifest.dependencies));
const optional = treeOf(Object.keys(manifest.optionalDependencies));
const runtime = folders.filter(({ folder }) => required.has(folder) || optional.has(folder));
const requiredTree = ['commander', 'valibot'];
const optionalTree = [
  ...['@libsql/client', '@libsql/core', '@libsql/hrana-client', '@libsql/isomorphic-ws', '@neon-rs/load'],
  ...['@types/node', '@types/ws', 'detect-libc', 'js-base64', 'libsql', 'promise-limit'],
  ...['undici-types', 'ws'],
];
/** What is copied into the built files, those of the hosted demo too. */
const bundledNames = [
  ...['@preact/signals', '@preact/signals-core', 'dijkstrajs', 'idb', 'preact'],
  ...['preact-render-to-string', 'qrcode', 'valibot'],
];
const allowedLicence = /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0)$/;
const nameOf = (folder: string): string => folder.replace(/^.*node_modules\//, '');

describe('the lock file', () => {
  it('has the SHA-512 of every package, and no address', () => {
    const weak = folders.filter(
      ({ integrity = '', resolved }) => !/^sha512-/.test(integrity) || resolved !== undefined,
    );
    expect(weak.map(({ folder }) => folder)).toEqual([]);
    expect(folders.length).toBeGreaterThan(300);
  });
});

describe('what is installed with the package', () => {
  it('is this and no more', () => {
    expect([...required].map(nameOf).sort()).toEqual(requiredTree);
    const binaries = /^@libsql\/(darwin|linux|win32)-/;
    const portable = [...optional].map(nameOf).filter((name) => !binaries.test(name));
    expect(portable.sort()).toEqual(optionalTree);
  });

  it('runs no script when it is installed, nor does the package itself', () => {
    expect(runtime.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
    const lifecycle = /^(pre|post)?install$|^(pre|post)?prepare$|^dependencies$/;
    expect(Object.keys(manifest.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
    expect(existsSync(join(projectFolder, 'binding.gyp'))).toBe(false);
  });

  it('may be distributed under its licences', () => {
    for (const { folder, license } of runtime) expect(license, folder).toMatch(allowedLicence);
  });

  it('is listed with hashes and licences by npm sbom, in CycloneDX', async () => {
    const { code, stdout, output } = await runTool('.ci/sbom', []);
    expect(code, output).toBe(0);
    const sbom = JSON.parse(stdout) as Sbom;
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { version: manifest.version } },
    });
    expect(sbom.components.map(({ purl }) => purl).sort()).toEqual(
      runtime.map(({ folder, version }) => `pkg:npm/${nameOf(folder).replace('@', '%40')}@${version}`).sort(),
    );
    for (const { hashes, licenses } of sbom.components) {
      expect(hashes).toMatchObject([{ alg: 'SHA-512' }]);
      expect(licenses).toHaveLength(1);
    }
  });
});

describe('what is bundled', () => {
  it('is this and no more, and may be distributed under its licences, which stand beside the files', () => {
    const notices = readdirSync(join(projectFolder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.LICENSE.txt'))
      .map((path) => readFileSync(join(projectFolder, 'dist', path), 'utf8'))
      .flatMap((text) => [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\S*, (.+?)\. /gm)]);
    expect([...new Set(notices.map(([, name]) => name))].sort()).toEqual(bundledNames);
    for (const [, , licence] of notices) expect(licence).toMatch(allowedLicence);
  });
});

type Sbom = {
  components: { purl: string; hashes: { alg: string }[]; licenses: unknown[] }[];
};
