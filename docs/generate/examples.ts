import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { block } from './markdown.ts';
import { projectFolder } from './pages.ts';

/** The files of the examples that pages show, by their names in the markers. */
const files = {
  shop: 'servers/shop.js',
  'node-http': 'html/api.js',
  express: 'express/server.js',
  fastify: 'servers/fastify.js',
  hono: 'servers/hono.js',
  bun: 'servers/bun.js',
  deno: 'servers/deno.js',
  workers: 'workers/src/worker.ts',
  'next-instrumentation': 'next/instrumentation.ts',
  'next-route': 'next/app/checkout/[...path]/route.ts',
  'next-page': 'next/app/pay/page.tsx',
  'sveltekit-shop': 'sveltekit/src/lib/server/shop.ts',
  'sveltekit-hooks': 'sveltekit/src/hooks.server.ts',
  'sveltekit-route': 'sveltekit/src/routes/checkout/[...path]/+server.ts',
  'nuxt-plugin': 'nuxt/server/plugins/checkout.ts',
  'nuxt-route': 'nuxt/server/routes/checkout/[...path].ts',
  'astro-route': 'astro/src/pages/checkout/[...path].ts',
  'react-router-route': 'react-router/app/routes/checkout.ts',
};

export const exampleTables = Object.fromEntries(
  Object.entries(files).map(([name, path]) => [
    `example-${name}`,
    () => block(readFileSync(join(projectFolder, 'demo/examples', path), 'utf8'), extname(path).slice(1)),
  ]),
);
