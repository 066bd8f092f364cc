import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { block } from './markdown.ts';
import { projectFolder } from './pages.ts';

const examples = 'demo/examples';

const read = (path: string): string => readFileSync(join(projectFolder, examples, path), 'utf8');

/** The files of the examples that pages show, by their names in the markers. */
const files = {
  shop: 'servers/shop.js',
  'node-http': 'html/api.js',
  fastify: 'servers/fastify.js',
  hono: 'servers/hono.js',
  bun: 'servers/bun.js',
  deno: 'servers/deno.js',
  'next-page': 'next/app/pay/page.tsx',
};

/** The examples of the quick start, with all their files, the most important ones first. */
export const quickStarts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  express: {
    'Packages and environment': ['package.json', '.env'],
    Server: ['server.js', 'checkout.js', 'orders.js'],
    Page: ['public/pay.html', 'public/index.html'],
  },
  next: {
    'Packages and environment': ['package.json', '.env', 'tsconfig.json'],
    Server: [
      'shop.ts',
      'app/checkout/[...path]/route.ts',
      'instrumentation.ts',
      'start-checkout.ts',
      'app/orders/route.ts',
    ],
    Page: ['app/pay/page.tsx', 'app/page.tsx', 'app/layout.tsx'],
  },
  sveltekit: {
    'Packages and environment': [
      'package.json',
      '.env',
      'svelte.config.js',
      'vite.config.ts',
      'tsconfig.json',
    ],
    Server: [
      'src/lib/server/shop.ts',
      'src/routes/checkout/[...path]/+server.ts',
      'src/hooks.server.ts',
      'src/routes/orders/+server.ts',
    ],
    Page: ['src/routes/pay/+page.svelte', 'src/routes/+page.svelte', 'src/app.html'],
  },
  nuxt: {
    'Packages and environment': ['package.json', '.env', 'nuxt.config.ts'],
    Server: [
      'server/utils/shop.ts',
      'server/routes/checkout/[...path].ts',
      'server/plugins/checkout.ts',
      'server/routes/orders.post.ts',
    ],
    Page: ['app/pages/pay.vue', 'app/pages/index.vue'],
  },
  astro: {
    'Packages and environment': ['package.json', '.env', 'astro.config.mjs', 'tsconfig.json'],
    Server: ['src/shop.ts', 'src/pages/checkout/[...path].ts', 'src/pages/orders.ts'],
    Page: ['src/payment.tsx', 'src/pages/pay.astro', 'src/pages/index.astro', 'src/layout.astro'],
  },
  'react-router': {
    'Packages and environment': ['package.json', '.env', 'vite.config.ts', 'tsconfig.json'],
    Server: ['app/shop.server.ts', 'app/routes/checkout.ts', 'app/routes/orders.ts', 'app/routes.ts'],
    Page: ['app/routes/pay.tsx', 'app/routes/home.tsx', 'app/root.tsx'],
  },
  vue: {
    'Packages and environment': ['package.json', '.env', 'vite.config.js'],
    Server: ['server.js', 'shop.js'],
    Page: ['src/pay-page.vue', 'src/home-page.vue', 'src/main.js', 'index.html'],
  },
  workers: {
    'Packages and environment': ['package.json', 'wrangler.jsonc'],
    Server: ['src/worker.ts', 'src/shop.ts'],
    Page: ['public/pay.html', 'public/index.html'],
  },
};

/** Blocks of code that the site shows as tabs. */
function fileTabs(example: string, paths: readonly string[]): string {
  const files = paths.map((path) => {
    const language = extname(path).slice(1).replace('mjs', 'js') || 'sh';
    return `\`${path}\`:\n\n${block(read(`${example}/${path}`), `${language} [${path}]`)}`;
  });
  return `<!-- tabs -->\n${files.join('\n\n')}\n<!-- /tabs -->`;
}

/** A section with the text of the example's README, and its files. */
const quickStart = (example: string): string =>
  [
    `#${read(`${example}/README.md`).trim()}`,
    ...Object.entries(quickStarts[example] ?? {}).map(
      ([name, paths]) => `**${name}**\n\n${fileTabs(example, paths)}`,
    ),
  ].join('\n\n');

export const exampleTables = {
  ...Object.fromEntries(
    Object.entries(files).map(([name, path]) => [
      `example-${name}`,
      () => block(read(path), extname(path).slice(1)),
    ]),
  ),
  'quick-starts': () => Object.keys(quickStarts).map(quickStart).join('\n\n'),
};
