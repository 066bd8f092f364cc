import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { languages } from '../../src/i18n/languages.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { bundledIn, importsOf } from './imports.ts';

const dist = join(projectFolder, 'dist');
const browserFolder = join(dist, 'browser');
const browserFiles = readdirSync(browserFolder);
const read = (file: string): string => readFileSync(join(browserFolder, file), 'utf8');
const brotliSize = (file: string): number => brotliCompressSync(read(file)).length;

const widget = `checkout-widget-${manifest.version}.js`;
const lazyFiles = browserFiles.filter((file) => /^checkout-.+\.js$/.test(file) && file !== widget);
/** The npm package's own modules, which are not minified. */
const npmFiles = readdirSync(dist, { encoding: 'utf8', recursive: true }).filter((file) =>
  /^(chunks\/)?[\w-]+\.js$/.test(file),
);
const total = brotliSize('checkout.js') + brotliSize(widget);

/** A guard against growth that nobody notices, in bytes; see docs/decisions/0014-real-packages.md. */
const limit = 45 * 1024;

describe('the script tag', () => {
  it('is no larger than its guard', () => {
    console.log(
      `checkout.js ${brotliSize('checkout.js')}, ${widget} ${brotliSize(widget)}: ${total} bytes brotli`,
    );
    expect(total).toBeLessThanOrEqual(limit);
  });

  it('is a classic script: nothing is imported or exported at its top', () => {
    // What it imports is computed: the widget beside it.
    expect(importsOf(read('checkout.js'))).toEqual(['*', './*']);
    expect(() => new Function(read('checkout.js'))).not.toThrow();
  });

  it.each(['checkout.js', widget])(
    'has only ASCII, for pages in any encoding and half the memory: %s',
    (file) => {
      expect(read(file)).not.toMatch(/[\u0080-\uffff]/);
    },
  );

  it('loads one widget file, which waits for no other', () => {
    // Each is one that `import()` loads, the last of them again: the file begins with none.
    const names = [...lazyFiles.map((file) => `./${file}`), './*'];
    expect(importsOf(read(widget)).sort()).toEqual(names.sort());
    expect(read(widget)).not.toMatch(/\b(import|from)\s*["'`{*]/);
  });

  it('has the lazy parts that a reader would expect, and no others', () => {
    const parts = lazyFiles.map((file) => file.slice('checkout-'.length, -`-${manifest.version}.js`.length));
    expect(parts.sort()).toEqual([...Object.keys(languages), 'developer-warnings', 'qr-code'].sort());
  });

  it('leaves its lazy files without imports, because these would bring a second copy of the widget', () => {
    for (const file of lazyFiles) expect(importsOf(read(file)), file).toEqual([]);
  });
});

describe('a function imported alone from the npm entry', () => {
  it('leaves the widget out of a shop’s bundle', async () => {
    const entry = 'virtual:shop';
    const names = 'redirectToCheckout, wasOpen, forget';
    const { output } = (await build({
      configFile: false,
      root: projectFolder,
      logLevel: 'silent',
      plugins: [
        {
          name: 'shop',
          resolveId: (id) => (id === entry ? join(projectFolder, 'shop.js') : undefined),
          load: (id) =>
            id.endsWith('/shop.js')
              ? `import { ${names} } from '${join(dist, 'index.js')}'; window.used = [${names}];`
              : undefined,
        },
      ],
      build: { write: false, rolldownOptions: { input: entry } },
    })) as Rolldown.RolldownOutput;
    expect(brotliCompressSync(output[0].code).length).toBeLessThan(8 * 1024);
  });
});

describe('dist/browser', () => {
  it('holds the script tag’s files with their licences and nothing else, because sites serve the whole folder', () => {
    const names = ['checkout.js', 'checkout.css', 'checkout-manifest.json', widget, ...lazyFiles];
    const licences = browserFiles.filter((file) => file.endsWith('.js.LICENSE.txt'));
    expect(browserFiles.sort()).toEqual([...names, ...licences].sort());
    expect(readdirSync(dist).filter((file) => file.startsWith('checkout'))).toEqual([]);
  });
});

describe('checkout-manifest.json', () => {
  const { version, widget: named, files } = JSON.parse(read('checkout-manifest.json'));

  it('names the version, and the widget that a page can preload', () => {
    expect([version, named]).toEqual([manifest.version, widget]);
  });

  it('has the integrity of each file of the script tag', () => {
    const hashOf = (file: string): string =>
      `sha384-${createHash('sha384')
        .update(readFileSync(join(browserFolder, file)))
        .digest('base64')}`;
    const names = ['checkout.js', 'checkout.css', widget, ...lazyFiles];
    expect(files).toEqual(Object.fromEntries(names.map((name) => [name, { integrity: hashOf(name) }])));
  });
});

describe('the licences of what is bundled', () => {
  const noticesFile = (path: string): string => `${path}.LICENSE.txt`;
  const noticesOf = (path: string): string =>
    existsSync(noticesFile(path)) ? readFileSync(noticesFile(path), 'utf8') : '';
  const namedIn = (path: string): unknown[] =>
    [...noticesOf(path).matchAll(/^(\S+) \d+\.\d+\.\d+, /gm)].map(([, name]) => name).sort();
  const terms = 'The above copyright notice and this permission notice shall be included in all copies';

  it.each([
    [widget, ['preact', '@preact/signals', '@preact/signals-core', 'valibot']],
    [`checkout-qr-code-${manifest.version}.js`, ['qrcode', 'dijkstrajs']],
  ])('are beside %s, in a file that it names', (file, packages) => {
    const path = join(browserFolder, file);
    const notices = noticesOf(path);
    expect(read(file)).toContain(`/*! Licences: ${file}.LICENSE.txt */`);
    expect(namedIn(path)).toEqual(packages.sort());
    expect(notices.match(/Copyright/g)?.length).toBeGreaterThanOrEqual(packages.length);
    expect(notices).toContain(terms);
  });

  it('are beside each of the npm modules that contain others, and no others', () => {
    const contents = npmFiles.map((file) => [file, bundledIn(join(dist, file))] as const);
    expect(npmFiles.map((file) => [file, namedIn(join(dist, file))])).toEqual(contents);
    const withPackages = contents.filter(([, packages]) => packages.length > 0);
    const names = withPackages.map(([file]) => file.replace(/-[\w-]{8}\.js$/, '.js'));
    expect(names.sort()).toEqual(['chunks/preact.js', 'chunks/qr-code.js', 'render.js']);
    for (const [file] of withPackages) expect(noticesOf(join(dist, file))).toContain(terms);
  });
});

describe('README.md', () => {
  it('states the size that was measured, within a tenth of a kilobyte', () => {
    const stated = /\*\*(\d+\.\d) KB\*\* brotli/.exec(
      readFileSync(join(projectFolder, 'README.md'), 'utf8'),
    )?.[1];
    expect(Math.abs(Number(stated) - total / 1024)).toBeLessThanOrEqual(0.1);
  });
});
