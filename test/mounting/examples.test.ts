import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../setup/demo-process.ts';

const folder = join(projectFolder, 'demo', 'mounting');
const examples = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.d)\.ts$/.test(name));

describe.each(examples)('%s', async (name) => {
  const lines = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');

  it('has at most forty lines', () => {
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  it('imports the package by its name, as a merchant does', () => {
    const sources = lines.flatMap((line) => /(?:from|import\() ?'(.+)'/.exec(line)?.[1] ?? []);
    const others = sources.filter((source) => /^\.|^transfer-checkout/.test(source));
    for (const source of others) {
      expect(source).toMatch(
        /^(\.\/|(\.\.\/)+)(shop|merchant\/cart|node\/cart-cookies)\.ts$|^transfer-checkout\/server-kit(\/node)?$/,
      );
    }
  });
});

it('there is one for each platform', () => {
  expect(examples.sort()).toEqual([
    'bun.ts',
    'deno.ts',
    'express.ts',
    'fastify.ts',
    'hono.ts',
    'next/app/checkout/[...path]/route.ts',
    'next/instrumentation.ts',
    'node-http.ts',
    'shop.ts',
    'workers.ts',
  ]);
});
