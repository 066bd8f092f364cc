import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import {
  type BuildEnvironment,
  type BuildEnvironmentOptions,
  build,
  defineConfig,
  type EnvironmentOptions,
  type Plugin,
  type Rolldown,
  type UserConfig,
} from 'vite';
import { serverPages } from './demo/shop-pages.ts';
import { siteHeader } from './demo/site-header.ts';
import speed from './demo/speed.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The oldest supported browsers: those of mid-2024. docs/reference/versions.md has them. */
const browsers = ['chrome125', 'edge125', 'firefox126', 'safari17.5'];

/** Packages such as `qrcode` name their file for browsers in `browser`. */
const browserFields = ['browser', 'module'];

const packages = Object.keys({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.peerDependencies,
});

/** npm installs these, so imports of them and of Node's modules stay as they are. All other packages are bundled. */
const external = (id: string): boolean =>
  isBuiltin(id) || packages.some((name) => id === name || id.startsWith(`${name}/`));

const shared = {
  emptyOutDir: false,
  copyPublicDir: false,
  modulePreload: false,
  reportCompressedSize: false,
} as const satisfies BuildEnvironmentOptions;

function environment(consumer: 'client' | 'server', build: BuildEnvironmentOptions): EnvironmentOptions {
  return { consumer, build: { ...shared, ...build } };
}

/**
 * The npm package: readable ES modules, one entry for each name in `exports` of package.json. The entries share one copy of Preact and
 * signals, which no other Preact of the page can reach.
 */
const packageModules = (target: string | string[], input: Record<string, string>): EnvironmentOptions => ({
  ...environment('server', {
    outDir: at('dist'),
    target,
    minify: false,
    rolldownOptions: {
      input,
      external,
      preserveEntrySignatures: 'strict',
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // Frameworks that render on a server need this mark on components for browsers.
        banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
        codeSplitting: {
          groups: [
            { name: 'preact', test: /\/node_modules\/@?preact\// },
            // Each with all that it imports: a shop's bundler takes it without the widget.
            { name: 'site-storage', test: /\/src\/widget\/dom\/site-storage\.ts$/ },
            { name: 'redirect', test: /\/src\/entry\/redirect\.ts$/ },
            { name: 'was-open', test: /\/src\/entry\/reopen\.ts$/ },
          ],
        },
      },
    },
  }),
  resolve: { noExternal: true, ...(target === browsers && { mainFields: browserFields }) },
});

/**
 * Browser files that keep their dynamic imports. In a 'client' environment Vite would wrap them in a helper, which a classic
 * script cannot import.
 */
const browserFiles = (build: BuildEnvironmentOptions): EnvironmentOptions => ({
  ...environment('server', build),
  resolve: { noExternal: true, conditions: ['module', 'browser', 'production'], mainFields: browserFields },
});

/** Returns the licence notices of the packages bundled in a file. A licence shared by several packages is written once. */
function noticesOf(chunk: Rolldown.OutputChunk): string {
  const names = new Set(
    Object.keys(chunk.modules).flatMap(
      (id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [],
    ),
  );
  const headings = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const { heading, terms } = noticeOf(name);
    headings.set(terms, [...(headings.get(terms) ?? []), heading]);
  }
  return [...headings].map(([terms, packages]) => `${packages.join('\n')}\n${terms}\n`).join('\n');
}

/** Reads the copyright holder and the licence terms of a package. */
function noticeOf(name: string): { heading: string; terms: string } {
  const folder = at(`node_modules/${name}`);
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} is bundled, and has no licence file.`);
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  const [copyright = ''] = /^ *Copyright.*$/im.exec(text) ?? [];
  const terms = text
    .slice(text.indexOf(copyright) + copyright.length)
    .replace(/\s+/g, ' ')
    .trim();
  return { heading: `${name} ${version}, ${license}. ${copyright.trim()}`, terms };
}

/**
 * Writes the licences of bundled packages beside each built file, which names them: the packages may be distributed only with them, and a
 * shopper need not load them.
 */
const licenceFiles: Plugin = {
  name: 'licence-files',
  applyToEnvironment: ({ name }) => name !== 'demoServer',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const source = file.type === 'chunk' ? noticesOf(file) : '';
        if (file.type !== 'chunk' || source === '') continue;
        const fileName = `${file.fileName}.LICENSE.txt`;
        this.emitFile({ type: 'asset', fileName, source });
        file.code = `/*! Licences: ${basename(fileName)} */\n${file.code}`;
      }
    },
  },
};

/** Writes the types for `require`, because TypeScript's `node16` takes no declarations of an ES module there. */
const typesForRequire: Plugin = {
  name: 'types-for-require',
  applyToEnvironment: ({ name }) => name === 'serverModules',
  generateBundle(_options, bundle) {
    for (const entry of Object.values(manifest.exports)) {
      if (typeof entry === 'string' || typeof entry.types === 'string') continue;
      const file = bundle[basename(entry.default)];
      if (file?.type !== 'chunk') throw new Error(`${entry.default} of package.json is not built.`);
      const path = entry.types.default.replace('./dist/', './').replace('.d.ts', '.js');
      const from = `from '${path}' with { 'resolution-mode': 'import' };\n`;
      const names = file.exports.map((name) => {
        // A value in PascalCase is a class or a schema: its type has the same name.
        const type = /^[A-Z][a-z]/.test(name) ? `export type ${name} = module.${name};\n` : '';
        return `${type}export declare const ${name}: typeof module.${name};\n`;
      });
      const source = `import type * as module ${from}export type * ${from}${names.join('')}`;
      this.emitFile({ type: 'asset', fileName: basename(entry.types.require), source });
    }
  },
};

/** The script tag's files, and nothing else: a site serves this folder. */
const browserFolder = at('dist/browser');

/** Lists the script tag's files with their integrity hashes, for a tag or an import map. */
function scriptTagManifest(): string {
  const files = readdirSync(browserFolder)
    .filter((name) => !name.endsWith('.txt'))
    .map((name) => {
      const hash = createHash('sha384')
        .update(readFileSync(`${browserFolder}/${name}`))
        .digest('base64');
      return [name, { integrity: `sha384-${hash}` }] as const;
    });
  const widget = `checkout-widget-${manifest.version}.js`;
  return `${JSON.stringify({ version: manifest.version, widget, files: Object.fromEntries(files) }, null, 2)}\n`;
}

/** Writes the size of the script tag into the pages that state it. */
function stateSize(): void {
  const sizes = ['checkout.js', `checkout-widget-${manifest.version}.js`].map(
    (name) => brotliCompressSync(readFileSync(`${browserFolder}/${name}`)).length / 1024,
  );
  const total = sizes.reduce((sum, size) => sum + size);
  const state = (path: string, figure: RegExp, stated: string): void => {
    const page = readFileSync(at(path), 'utf8');
    const filled = page.replace(figure, stated);
    if (filled !== page) writeFileSync(at(path), filled);
  };
  state('README.md', /\*\*[\d.]+ KB\*\* brotli/, `**${total.toFixed(1)} KB** brotli`);
  state('demo/index.html', /(One script tag, <strong>)\d+ KB/, `$1${Math.round(total)} KB`);
}

/**
 * About 2% smaller than the bundler's own minifier. Only ASCII: a classic script is decoded with its page's encoding, which may differ from
 * ours, and browsers keep a script with other characters in twice the memory.
 */
const minified = {
  minify: 'terser',
  terserOptions: { ecma: 2020, module: true, compress: { passes: 3 }, format: { ascii_only: true } },
} as const;

/** Chromium compiles the functions while the file arrives, beside the page's own thread, and not one by one when they are called. */
const compileHint = '//# allFunctionsCalledOnLoad';

/**
 * The script tag: one classic script that defines no globals but the documented one. Its syntax is older than the browsers that we support,
 * so that it can tell shoppers that theirs is too old.
 */
const loader = browserFiles({
  outDir: browserFolder,
  target: 'es2020',
  ...minified,
  rolldownOptions: {
    input: { checkout: at('src/script-tag.ts') },
    output: { format: 'iife', entryFileNames: '[name].js', codeSplitting: false, postBanner: compileHint },
  },
});

/** The widget file and its lazy parts, which import nothing from it. `fileNameOf` in src/entry derives the same names. */
const widget = browserFiles({
  outDir: browserFolder,
  target: browsers,
  ...minified,
  rolldownOptions: {
    input: { widget: at('src/widget.ts') },
    output: {
      format: 'es',
      entryFileNames: `checkout-[name]-${manifest.version}.js`,
      chunkFileNames: `checkout-[name]-${manifest.version}.js`,
      postBanner: ({ name }) => (name === 'widget' ? compileHint : ''),
    },
  },
});

const demoFiles = {
  index: at('demo/index.html'),
  bank: at('demo/bank.html'),
  gallery: at('demo/gallery.html'),
  look: at('demo/look.html'),
};

const demoPages = environment('client', {
  outDir: at('build/demo/public'),
  copyPublicDir: true,
  target: browsers,
  rolldownOptions: {
    input: demoFiles,
  },
});

const hosted = { 'import.meta.env.HOSTED': 'true' };

/** The demo without a server: static files, and the demo's server in a service worker. */
const hostedPages: EnvironmentOptions = {
  ...environment('client', {
    outDir: at('dist/demo'),
    copyPublicDir: true,
    target: browsers,
    rolldownOptions: {
      input: { ...demoFiles, start: at('demo/start.html') },
    },
  }),
  define: hosted,
};

/** One classic script, because not every browser runs modules as service workers. */
const hostedWorker: EnvironmentOptions = {
  ...browserFiles({
    outDir: at('dist/demo'),
    target: browsers,
    minify: true,
    rolldownOptions: {
      input: { worker: at('demo/hosted/worker.ts') },
      output: { format: 'iife', entryFileNames: '[name].js', codeSplitting: false },
    },
  }),
  define: hosted,
};

/**
 * Removes the files of earlier builds, which can have other names and would be packed with the new ones. A type declaration
 * stays while its source exists, because `npm start` does not write it again.
 */
async function removeEarlierBuilds(): Promise<void> {
  await rm(at('build'), { recursive: true, force: true });
  const dist = `${at('dist')}/`;
  const names = existsSync(dist) ? readdirSync(dist, { encoding: 'utf8', recursive: true }) : [];
  const isDeclared = (name: string): boolean =>
    name.endsWith('.d.ts') && ['.ts', '.tsx'].some((end) => existsSync(at(name.replace(/\.d\.ts$/, end))));
  for (const name of names)
    if (/\.\w+$/.test(name) && !isDeclared(name)) await rm(dist + name, { recursive: true, force: true });
}

/** Adds what the pages of the hosted demo load: the script tag's files, and the sandbox's pages. */
async function completeHostedDemo(): Promise<void> {
  const folder = at('dist/demo');
  await cp(at('dist/sandbox-pages'), `${folder}/service-pages`, { recursive: true });
  await cp(browserFolder, `${folder}/package`, { recursive: true });
  // Until the worker runs, this page stands in for those that the worker makes.
  const start = readFileSync(`${folder}/start.html`, 'utf8');
  await rm(`${folder}/start.html`);
  for (const name of serverPages) await writeFile(`${folder}/${name}`, start);
  await mkdir(`${folder}/service/_sandbox/panel`, { recursive: true });
  const inFolder = start.replace('<head>', '<head>\n    <base href="../../../" />');
  await writeFile(`${folder}/service/_sandbox/panel/index.html`, inFolder);
}

const pages = at('server-kit/tools/sandbox/pages');

/**
 * Builds the sandbox's control panel and payment page. They ship with the package, next to `sandbox-node.js`, which serves them. An HTML
 * file is named by its path below `root`, so these have a root of their own.
 */
const buildSandboxPages = () =>
  build({
    configFile: false,
    logLevel: 'warn',
    root: pages,
    base: './',
    resolve: { tsconfigPaths: true },
    plugins: [licenceFiles],
    build: {
      ...shared,
      outDir: at('dist/sandbox-pages'),
      // The server's content security policy may forbid `data:` URLs.
      assetsInlineLimit: 0,
      target: browsers,
      rolldownOptions: { input: { panel: `${pages}/index.html`, pay: `${pages}/pay.html` } },
    },
  });

/** Writes the shared header, and what the bench has measured, into the demo's pages. */
const demoHeader: Plugin = {
  name: 'demo-header',
  transformIndexHtml: {
    order: 'pre',
    handler(page, { filename }) {
      const name = basename(filename);
      return page
        .replace('<!-- site header -->', siteHeader(name === 'index.html' ? './' : `./${name}`))
        .replace(/\{speed\.(\w+)\}/g, (_, key: keyof typeof speed) => `${speed[key]}`);
    },
  },
};

const demoServer = environment('server', {
  outDir: at('build/demo'),
  target: 'node20',
  minify: false,
  rolldownOptions: { input: { server: at('demo/node/server.ts') }, external, output: { format: 'es' } },
});

/** The npm package and the script tag, then the demo, whose pages state the script's size. */
const packageEnvironments = {
  browserModules: packageModules(browsers, {
    index: at('src/index.ts'),
    element: at('src/element.ts'),
    render: at('src/render.ts'),
    react: at('src/react.tsx'),
  }),
  serverModules: packageModules('node20', {
    'server-kit': at('server-kit/index.ts'),
    'server-kit-core': at('server-kit/core/index.ts'),
    'server-kit-service': at('server-kit/service/index.ts'),
    'server-kit-node': at('server-kit/node.ts'),
    'store-sqlite': at('server-kit/stores/sqlite/store.ts'),
    'store-postgres': at('server-kit/stores/postgres/store.ts'),
    'server-kit-client-key': at('server-kit/engine/routes/access/client-address.ts'),
    sandbox: at('server-kit/tools/sandbox/index.ts'),
    'sandbox-node': at('server-kit/tools/sandbox/node/index.ts'),
    testing: at('server-kit/tools/testing/index.ts'),
    cli: at('server-kit/tools/cli/main.ts'),
  }),
  loader,
  widget,
};
const demoEnvironments = { demoPages, demoServer, hostedPages, hostedWorker };

const configFor = (command: 'build' | 'serve'): UserConfig => ({
  root: at('demo'),
  base: './',
  // The preview of the hosted demo responds with 404 where there is no file.
  appType: 'mpa',
  resolve: { tsconfigPaths: true },
  plugins: [demoHeader, licenceFiles, typesForRequire],
  // Vitest would pick these environments up too.
  ...(command === 'build' && {
    environments: { ...packageEnvironments, ...demoEnvironments },
    builder: {
      async buildApp(builder) {
        await removeEarlierBuilds();
        const buildAll = (environments: object) =>
          Promise.all(
            Object.keys(environments).map((name) =>
              builder.build(builder.environments[name] as BuildEnvironment),
            ),
          );
        await buildAll(packageEnvironments);
        stateSize();
        await Promise.all([buildAll(demoEnvironments), buildSandboxPages()]);
        // The style sheet for server-rendered details.
        const { checkoutStyles } = await import(at('dist/render.js'));
        await writeFile(`${browserFolder}/checkout.css`, checkoutStyles);
        await writeFile(`${browserFolder}/checkout-manifest.json`, scriptTagManifest());
        await chmod(at('dist/cli.js'), 0o755);
        await completeHostedDemo();
      },
    },
  }),
});

export default defineConfig(({ command }) => {
  // Of the machine, it would make a development build, with the paths of this folder.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return configFor(command);
});
