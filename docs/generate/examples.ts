import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { block } from './markdown.ts';
import { projectFolder } from './pages.ts';

/** The examples of mounting, by their names in the markers. */
const examples = {
  shop: 'shop.ts',
  'node-http': 'node-http.ts',
  express: 'express.ts',
  fastify: 'fastify.ts',
  hono: 'hono.ts',
  'next-instrumentation': 'next/instrumentation.ts',
  'next-route': 'next/app/checkout/[...path]/route.ts',
  bun: 'bun.ts',
  deno: 'deno.ts',
  workers: 'workers.ts',
};

export const exampleTables = Object.fromEntries(
  Object.entries(examples).map(([name, path]) => [
    `example-${name}`,
    () => block(readFileSync(join(projectFolder, 'demo/mounting', path), 'utf8'), 'ts'),
  ]),
);
