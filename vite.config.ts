import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BuildEnvironmentOptions, defineConfig, type EnvironmentOptions } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Browsers with shadow DOM, dynamic import and AbortController: what phones of the last five years run. */
const browsers = ['chrome87', 'edge88', 'firefox90', 'safari15'];

/** Packages and Node's own modules stay imports in what npm users bundle or run themselves. */
const external = (id: string): boolean =>
  builtinModules.includes(id) || id.startsWith('node:') || /^(preact|@preact|valibot|qrcode)(\/|$)/.test(id);

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
const packageModules = (consumer: 'client' | 'server', input: Record<string, string>): EnvironmentOptions =>
  environment(consumer, {
    outDir: at('dist'),
    target: consumer === 'client' ? browsers : 'node20',
    minify: false,
    rolldownOptions: {
      input,
      external,
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  });

/** The script tag: `checkout.js` keeps its name; what it loads has immutable names and lies beside it. */
const scriptTag = environment('client', {
  outDir: at('dist'),
  target: browsers,
  minify: true,
  rolldownOptions: {
    input: { checkout: at('src/script-tag.ts') },
    output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'checkout-[name]-[hash].js' },
  },
});

const demoPages = environment('client', {
  outDir: at('build/demo/public'),
  target: browsers,
  rolldownOptions: { input: { shop: at('demo/shop.html'), panel: at('demo/panel.html') } },
});

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
  // Environments of the build only: a test runner would otherwise pick them up.
  ...(command === 'build' && {
    environments: {
      browserModules: packageModules('client', { index: at('src/index.ts'), element: at('src/element.ts') }),
      serverModules: packageModules('server', {
        'server-kit': at('server-kit/index.ts'),
        'server-kit-node': at('server-kit/node.ts'),
        sandbox: at('server-kit/sandbox/index.ts'),
      }),
      scriptTag,
      demoPages,
      demoServer,
    },
    builder: {
      async buildApp(builder) {
        for (const name of ['browserModules', 'serverModules', 'scriptTag', 'demoPages', 'demoServer']) {
          const target = builder.environments[name];
          if (target !== undefined) await builder.build(target);
        }
      },
    },
  }),
}));
