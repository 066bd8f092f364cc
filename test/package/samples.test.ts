import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile as compileSvelte } from 'svelte/compiler';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileTemplate } from 'vue/compiler-sfc';
import { createSandbox } from '../../server-kit/tools/sandbox/index.ts';
import { type DocsPage, pages, readPage, samplesOf } from '../docs/pages.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { runTool } from './tool.ts';

const runSample = (code: string) => runTool('node', ['--input-type=module', '--eval', code]);

/** What samples of a server take from their surroundings. */
const surroundings = `
import type {} from 'transfer-checkout/element';
import type { Checkout, Money, OrderInput, PaymentsClient } from 'transfer-checkout/server-kit';
import type { Express } from 'express';
declare global {
  const client: PaymentsClient;
  const checkout: Checkout;
  const app: Express;
  const request: Request;
  type ShopOrder = { id: string; shopperId: string; amount: OrderInput['amount'] };
  type Shopper = { id: string; openOrder?: ShopOrder; customer: NonNullable<OrderInput['customer']> };
  const orders: { find: (id: string) => Promise<ShopOrder | undefined> };
  function findShopper(cookie: string | null): Promise<Shopper | undefined>;
  function ship(order: ShopOrder, idempotencyKey: string): Promise<void>;
  function askAPerson(orderId: string, money: Money, outcome?: string): Promise<void>;
}
`;

type Sample = { page: DocsPage; sample: string };

const samplesIn = (kind: string): Sample[] =>
  pages.flatMap((page) => samplesOf(page, kind).map((sample) => ({ page, sample })));

/** Compiles samples with the built types, by the package's own name: as a shop gets them. */
async function compileSamples(samples: readonly (Sample & { kind: string })[], isStrict: boolean) {
  const folder = await mkdtemp(join(projectFolder, 'build', 'samples-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'surroundings.d.ts'), surroundings);
  for (const [index, { page, kind, sample }] of samples.entries()) {
    const name = page.path.replace(/.*\/|\.md$/g, '');
    await writeFile(join(folder, `${name}-${index}.${kind}`), sample);
  }
  const compilerOptions = {
    jsxImportSource: 'react',
    paths: {},
    noUnusedLocals: false,
    strict: isStrict,
    exactOptionalPropertyTypes: isStrict,
  };
  const config = { extends: join(projectFolder, 'tsconfig.json'), compilerOptions, include: ['.'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return runTool('tsc', ['-p', folder]);
}

describe('the samples of the documentation', () => {
  it('fit the types of the package', async () => {
    const samples = ['ts', 'tsx'].flatMap((kind) => samplesIn(kind).map((each) => ({ ...each, kind })));
    expect(samples.length).toBeGreaterThan(12);
    const { code, output } = await compileSamples(samples, true);
    expect(code, output).toBe(0);
  });

  it('fit the types in JavaScript, too', async () => {
    const elements = samplesIn('jsx').map(({ page, sample }) => ({
      page,
      kind: 'tsx',
      sample: `export const element = (html: string) =>\n${sample}`,
    }));
    // That of the README runs in a browser.
    const scripts = samplesIn('js').filter(({ page }) => page.path !== 'README.md');
    const samples = scripts.map((each) => ({ ...each, kind: 'ts' }));
    expect(samples.length).toBeGreaterThan(2);
    expect(elements).not.toEqual([]);
    const { code, output } = await compileSamples([...samples, ...elements], false);
    expect(code, output).toBe(0);
  });

  it('are templates that Vue and Svelte compile', () => {
    const templates = [samplesIn('vue'), samplesIn('svelte')] as const;
    expect(templates).not.toContainEqual([]);
    for (const { page, sample } of templates[0])
      expect(compileTemplate({ source: sample, filename: page.path, id: 'x' }).errors).toEqual([]);
    for (const { sample } of templates[1]) expect(compileSvelte(sample, {}).warnings).toEqual([]);
  });

  it('call commands that exist, with options that they have', () => {
    const help = readPage('docs/reference/command-line.md').text.split(/^## /m);
    const calls = samplesIn('sh').flatMap(
      ({ sample }) => sample.match(/(?<=npx transfer-checkout ).*/g) ?? [],
    );
    expect(calls.length).toBeGreaterThan(3);
    for (const call of calls) {
      const [name = '', ...words] = call.replace(/ *#.*/, '').split(' ');
      const section = help.find((each) => each.startsWith(`${name}\n`)) ?? '';
      expect(section, call).toContain(`Usage: transfer-checkout ${name}`);
      for (const option of words.filter((word) => word.startsWith('--')))
        expect(section, call).toContain(option);
    }
  });

  it('run the sandbox, which prints what the sample says', async () => {
    const [sample = ''] = samplesOf(readPage('docs/sandbox.md'), 'ts');
    const { code, output } = await runSample(sample);
    expect({ code, output }).toEqual({ code: 0, output: 'succeeded\n' });
  });

  it('test a shop in ten lines, and fail for a shop that ships twice', async () => {
    const [sample = ''] = samplesOf(readPage('docs/testing.md'), 'ts');
    expect(sample.split('\n').filter(Boolean)).toHaveLength(10);
    expect(await runSample(sample)).toMatchObject({ code: 0, output: expect.stringContaining('pass 1') });
    const wrong = sample.replace('shipped: 1', 'shipped: 2');
    expect(await runSample(wrong)).toMatchObject({ code: 1, output: expect.stringContaining('fail 1') });
  });

  it('have fixtures that a sandbox starts with', () => {
    const [json = ''] = samplesOf(readPage('docs/sandbox.md'), 'json');
    const { control } = createSandbox({ fixtures: JSON.parse(json) });
    expect(control.listPayments().map(({ reference }) => reference)).toEqual(['order-1']);
    expect([control.listPayouts(), control.listInvoices(), control.listTaxRates()]).toMatchObject([
      [{ amount: 250_000 }],
      [{ amountDue: 990_000 }],
      [{ name: 'VAT' }],
    ]);
  });
});
