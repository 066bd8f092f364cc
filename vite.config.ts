import { chmod, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BuildEnvironmentOptions,
  defineConfig,
  type EnvironmentOptions,
  type Plugin,
  type Rolldown,
} from 'vite';
import manifest from './package.json' with { type: 'json' };

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Browsers with shadow DOM, dynamic import and AbortController: what phones of the last five years run. */
const browsers = ['chrome94', 'edge94', 'firefox90', 'safari15'];

const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

/** Packages and Node's own modules stay imports in what npm users bundle or run themselves. */
const external = (id: string): boolean =>
  isBuiltin(id) || packages.some((name) => id === name || id.startsWith(`${name}/`));

function environment(consumer: 'client' | 'server', build: BuildEnvironmentOptions): EnvironmentOptions {
  return {
    consumer,
    build: {
      emptyOutDir: false,
      copyPublicDir: false,
      modulePreload: false,
      reportCompressedSize: false,
      ...build,
    },
  };
}

/** The npm package: readable ES modules, one entry for each name in the `exports` of package.json. */
const packageModules = (target: string | string[], input: Record<string, string>): EnvironmentOptions =>
  environment('server', {
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
        // Frameworks that render on a server need to be told which components are for browsers.
        banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
      },
    },
  });

/**
 * Files for browsers whose dynamic imports stay as they are written. Vite wraps those of a 'client' in a helper that a
 * classic script cannot have, and a library should not.
 */
const browserFiles = (build: BuildEnvironmentOptions): EnvironmentOptions => ({
  ...environment('server', build),
  resolve: { noExternal: true, conditions: ['module', 'browser', 'production'] },
});

/** Makes `checkout.js` a classic script: it knows the widget's files by name, and leaves no name of its own behind. */
const classicScript: Plugin = {
  name: 'classic-script',
  applyToEnvironment: ({ name }) => name === 'scriptTag',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const loader = chunks.find(({ name }) => name === 'checkout');
    const widget = chunks.find(({ name }) => name === 'widget');
    const modal = chunks.find(({ name }) => name === 'modal');
    if (!loader || !widget || !modal) return this.error('The script tag needs its loader, widget and modal.');
    if (loader.imports.length + loader.exports.length > 0) {
      this.error(
        `checkout.js must stand alone, but shares ${loader.imports.join(', ') || loader.exports.join(', ')}.`,
      );
    }
    const code = loader.code
      .replace(/export\s*{};?\s*$/, '')
      .replaceAll('__WIDGET_FILE__', JSON.stringify(widget.fileName))
      .replaceAll('__MODAL_FILE__', JSON.stringify(modal.fileName));
    // A page may be read in another encoding than this file's, and a classic script is read like its page.
    const ascii = code.replace(
      /[\u0080-\uffff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    loader.code = `(()=>{${ascii.trim()}})();\n`;
  },
};

/**
 * A failed import is remembered by its address, for good in some browsers. So the widget's own chunks are asked for again
 * at another address (a fragment: the request stays the same), and a chunk takes what it shares from the widget under
 * the address by which that was loaded: the loader may have had to use another, and there must be no second widget.
 */
const retriedChunks: Plugin = {
  name: 'retried-chunks',
  applyToEnvironment: ({ name }) => name === 'scriptTag',
  renderChunk(code, { name }, _options, { chunks }) {
    if (name === 'checkout') return null;
    const query = 'new URL(import.meta.url).search';
    const shared = inlineRuntime(code, chunks).replace(
      /^import (\{[^}]*\}) from ("\.\/checkout-[^"]+");$/gm,
      (_, names: string, file: string) =>
        `const ${names.replaceAll(' as ', ': ')} = await import(${file} + ${query});`,
    );
    const called = shared.replace(/\bimport\(("\.\/checkout-[^"]+")\)/g, 'loadChunk($1)');
    if (/^import\b/m.test(called)) return this.error(`${name} imports in a way that cannot be retried.`);
    if (called === shared) return shared;
    const loadChunk = `
      const chunks = {};
      let failures = 0;
      const loadChunk = (file, isLast) =>
        chunks[file] ??= import(file + ${query} + (failures ? '#' + failures : '')).catch((error) => {
          failures += 1;
          chunks[file] = undefined;
          if (isLast) throw error;
          return loadChunk(file, true);
        });
    `;
    return `${called}\n${loadChunk}`;
  },
  generateBundle(_options, bundle) {
    for (const [file, { name }] of Object.entries(bundle)) if (name === runtimeName) delete bundle[file];
  },
};

/** The bundler's own few helpers: each chunk has those that it needs, instead of waiting for one more file. */
const runtimeName = 'rolldown-runtime';

function inlineRuntime(code: string, chunks: Record<string, Rolldown.RenderedChunk>): string {
  const runtime = Object.values(chunks).find(({ name }) => name === runtimeName);
  const helpers = Object.values(runtime?.modules ?? {}).map(({ code: helper }) => helper);
  return code.replace(
    /^import \{([^}]*)\} from "\.\/checkout-rolldown-runtime[^"]*";$/gm,
    (_, names: string) => {
      const own = names.split(',').map((name) => name.trim().replace(/^\w+ as /, ''));
      return `const { ${own} } = (() => { ${helpers.join('\n')}; return { ${own} }; })();`;
    },
  );
}

/**
 * A few lines that several of the script tag's files need, none of which may wait for another file because of them: each
 * has a copy.
 */
const copiedModules: Plugin = {
  name: 'copied-modules',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'scriptTag',
  resolveId(source, importer = '') {
    const file = resolve(dirname(importer), source);
    return copiedFiles.includes(file) ? `${file}?for=${basename(importer)}` : undefined;
  },
};

const copiedFiles = [
  at('src/mounts/attribute-of.ts'),
  at('src/views/load-when-idle.ts'),
  at('src/views/open-note.ts'),
];

/** Less to load: the parts of valibot (1.3 KB), of Preact (3.5 KB) and of its signals that are used, in our own few lines. */
const leanLibraries: Plugin = {
  name: 'lean-libraries',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'scriptTag',
  resolveId: (source) => leanFiles[source],
};

const leanFiles: Record<string, string> = {
  valibot: at('src/contract/lean-valibot.ts'),
  preact: at('src/views/lean-preact.ts'),
  'preact/jsx-runtime': at('src/views/lean-preact.ts'),
  '@preact/signals': at('src/model/lean-signals.ts'),
};

/** The script tag: `checkout.js` keeps its name; what it loads has immutable names and lies beside it. */
const scriptTag = browserFiles({
  outDir: at('dist'),
  target: browsers,
  minify: true,
  rolldownOptions: {
    input: { checkout: at('src/script-tag.ts'), widget: at('src/mounts/inline.ts') },
    // The chunks that come later take what they share from the widget's own file.
    preserveEntrySignatures: 'allow-extension',
    output: {
      format: 'es',
      entryFileNames: ({ name }) => (name === 'checkout' ? '[name].js' : 'checkout-[name]-[hash].js'),
      chunkFileNames: 'checkout-[name]-[hash].js',
      // With all that it imports at once: what it shares with later chunks would otherwise be one more file to wait for.
      codeSplitting: { groups: [{ name: 'widget', test: /\/src\/mounts\/inline\.ts$/ }] },
    },
  },
});

const demoPages = environment('client', {
  outDir: at('build/demo/public'),
  copyPublicDir: true,
  target: browsers,
  rolldownOptions: { input: { shop: at('demo/shop.html'), gallery: at('demo/gallery.html') } },
});

/** The sandbox's control panel and payment page. They ship with the package: `sandbox-node.js` serves them from beside itself. */
const panel = environment('client', {
  outDir: at('dist/panel'),
  // The content security policy of those who serve it may allow no `data:`.
  assetsInlineLimit: 0,
  target: browsers,
  rolldownOptions: { input: { panel: at('demo/panel.html'), pay: at('demo/pay.html') } },
});

/** A folder's page is its `index.html`, whatever the name of the source is. */
const panelIndex: Plugin = {
  name: 'panel-index',
  applyToEnvironment: ({ name }) => name === 'panel',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['panel.html'];
      if (page === undefined) return this.error('The panel has no page.');
      page.fileName = 'index.html';
    },
  },
};

const demoServer = environment('server', {
  outDir: at('build/demo'),
  target: 'node20',
  minify: false,
  rolldownOptions: { input: { server: at('demo/server.ts') }, external, output: { format: 'es' } },
});

export default defineConfig(({ command }) => ({
  root: at('demo'),
  base: './',
  resolve: { tsconfigPaths: true },
  plugins: [leanLibraries, copiedModules, retriedChunks, classicScript, panelIndex],
  // Environments of the build only: a test runner would otherwise pick them up.
  ...(command === 'build' && {
    environments: {
      browserModules: packageModules(browsers, {
        index: at('src/index.ts'),
        element: at('src/element.ts'),
        render: at('src/render.ts'),
        react: at('src/react.tsx'),
      }),
      serverModules: packageModules('node20', {
        'server-kit': at('server-kit/index.ts'),
        'server-kit-node': at('server-kit/node.ts'),
        'store-sqlite': at('server-kit/stores/sqlite.ts'),
        'store-postgres': at('server-kit/stores/postgres.ts'),
        'bus-redis': at('server-kit/buses/redis.ts'),
        'bus-postgres': at('server-kit/buses/postgres.ts'),
        'limit-client-address': at('server-kit/limits/client-address.ts'),
        'limit-memory': at('server-kit/limits/memory.ts'),
        'limit-redis': at('server-kit/limits/redis.ts'),
        'limit-postgres': at('server-kit/limits/postgres.ts'),
        sandbox: at('server-kit/sandbox/index.ts'),
        'sandbox-node': at('server-kit/sandbox/node/index.ts'),
        testing: at('server-kit/testing/index.ts'),
        cli: at('server-kit/cli/main.ts'),
      }),
      scriptTag,
      panel,
      demoPages,
      demoServer,
    },
    builder: {
      async buildApp(builder) {
        // Files of earlier builds have other names, and would be packed and served with the new ones.
        for (const folder of ['dist', 'build']) await rm(at(folder), { recursive: true, force: true });
        for (const name of [
          'browserModules',
          'serverModules',
          'scriptTag',
          'panel',
          'demoPages',
          'demoServer',
        ]) {
          const target = builder.environments[name];
          if (target !== undefined) await builder.build(target);
        }
        // The styles for what a server renders, beside the script that takes it over.
        const { checkoutStyles } = await import(at('dist/render.js'));
        await writeFile(at('dist/checkout.css'), checkoutStyles);
        await chmod(at('dist/cli.js'), 0o755);
      },
    },
  }),
}));
