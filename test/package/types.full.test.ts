import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type InstalledShop, installShop } from './installed-shop.ts';
import { packInto, runTool } from './tool.ts';

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'preserve',
  types: [],
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  jsx: 'react-jsx',
  jsxImportSource: 'preact',
};

const script = `
  import { type CheckoutOptions, mountCheckout } from 'transfer-checkout';
  import 'transfer-checkout/element';
  import { renderCheckout } from 'transfer-checkout/render';
  import { createCheckout } from 'transfer-checkout/server-kit';
  import { createPaymentsClient, type Payment } from 'transfer-checkout/server-kit/core';

  const options: CheckoutOptions = { baseUrl: '/checkout' };
  mountCheckout(document.body, options).unmount();
  document.createElement('transfer-checkout').baseUrl satisfies string | undefined;
  type Verified = Awaited<ReturnType<ReturnType<typeof createPaymentsClient>['payments']['verify']>>;
  export const amountOf = ({ amount }: Verified): Payment['amount'] => amount;
  export { createCheckout, renderCheckout };
`;

const jsx = `
  export const right = <transfer-checkout modal class="pay" baseUrl="/pay" body={{ orderId: '7' }} theme="dark" />;
  // @ts-expect-error an unknown theme
  export const wrong = <transfer-checkout theme="sepia" />;
`;

/** The same element in React, and in the templates of Vue and Svelte: right, and with an unknown theme. */
const attributes = `id="pay" class="pay" modal base-url="/pay" theme="dark"`;
const paid = `const paid = (reference: string): void => console.log(reference);`;
const react = (theme: string): string => `
  import 'transfer-checkout/react';
  ${paid}
  export const view = (
    <transfer-checkout className="pay" modal baseUrl="/pay" theme="${theme}" body={{ orderId: '7' }} onsucceeded={({ detail }) => paid(detail.payment.reference)} />
  );
`;
const vue = (theme: string): string => `
<script setup lang="ts">
import 'transfer-checkout/element';
${paid}
</script>
<template>
  <transfer-checkout ${attributes.replace('dark', theme)} :body="{ orderId: '7' }" @succeeded="({ detail }) => paid(detail.payment.reference)" />
</template>`;
const svelte = (theme: string): string => `
<script lang="ts">
  import 'transfer-checkout/element';
  ${paid}
</script>
<transfer-checkout ${attributes.replace('dark', theme)} body={{ orderId: '7' }} onsucceeded={({ detail }) => paid(detail.payment.reference)}></transfer-checkout>`;

describe('the types of the packed file', () => {
  it('resolve under NodeNext and bundlers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { file } = await packInto(folder);
    const others = ['--exclude-entrypoints', './checkout.js', './checkout.css'];
    // Node requires ES modules too, and TypeScript's `node16` only knows that from declarations of CommonJS.
    const esModules = ['--profile', 'esm-only', '--ignore-rules', 'false-cjs'];
    const { code, output } = await runTool('attw', [file, ...esModules, ...others, '--no-emoji']);
    expect(code, output).toBe(0);
  });

  it('compile without Preact, and beside Preact 10 with its JSX', async () => {
    const { folder, remove } = await installShop();
    onTestFinished(remove);
    const compile = async () => (await runTool('tsc', ['-p', folder])).output;
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(join(folder, 'page.ts'), script);
    expect(await compile()).toBe('');
    await runTool('npm', ['install', '--prefer-offline', '--ignore-scripts', 'preact@10'], { folder });
    await writeFile(join(folder, 'view.tsx'), jsx);
    expect(await compile()).toBe('');
  });
});

describe('the strict checkers of frameworks', () => {
  let shop: InstalledShop;
  beforeAll(async () => {
    // The checkers of Vue and Svelte need the compiler of TypeScript 5.
    const packages = ['react@19', '@types/react@19', 'vue@3', 'vue-tsc@3', 'svelte@5', 'svelte-check@4'];
    shop = await installShop('typescript@5.9', ...packages);
  });
  afterAll(() => shop?.remove());

  it.each([
    ['React', react, 'tsx', ['tsc', '-p', 'tsconfig.json']],
    ['Vue', vue, 'vue', ['vue-tsc', '--noEmit', '-p', 'tsconfig.json']],
    ['Svelte', svelte, 'svelte', ['svelte-check', '--output', 'machine']],
  ] as const)('know the types: %s', async (name, page, ending, [command, ...args]) => {
    const folder = join(shop.folder, name);
    await mkdir(folder);
    const check = async () => runTool(join(shop.folder, 'node_modules/.bin', command), args, { folder });
    // Declarations of Svelte itself have errors.
    const options = {
      ...compilerOptions,
      moduleResolution: 'bundler',
      jsxImportSource: 'react',
      skipLibCheck: true,
    };
    const config = { compilerOptions: options, vueCompilerOptions: { strictTemplates: true } };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(folder, `Page.${ending}`), page('dark'));
    const right = await check();
    expect(right.code, right.output).toBe(0);
    await writeFile(join(folder, `Page.${ending}`), page('sepia'));
    const wrong = await check();
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain('sepia');
  });
});

const shopOnServer = `
  import { createCheckout, createMemoryStore, type OutcomeEvent } from 'transfer-checkout/server-kit';
  import { createPaymentsClient, PaymentsError } from 'transfer-checkout/server-kit/core';
  import type {} from 'transfer-checkout/server-kit/service';
  import type {} from 'transfer-checkout/server-kit/node';
  import type {} from 'transfer-checkout/server-kit/stores/sqlite';
  import type {} from 'transfer-checkout/server-kit/client-key';
  import type {} from 'transfer-checkout/sandbox';
  import type {} from 'transfer-checkout/sandbox/node';
  import type {} from 'transfer-checkout/testing';

  const client = createPaymentsClient({ baseUrl: 'https://api.service.example', apiKey: 'key', apiSecret: 'secret' });
  export const codeOf = (error: PaymentsError): string | false => error instanceof PaymentsError && error.code;
  export const orderIdOf = ({ order }: OutcomeEvent): string => order.orderId;
  export const checkout = createCheckout({
    client,
    store: createMemoryStore(),
    clientSecretKeys: ['key'],
    publicUrl: 'https://shop.example',
    getOrder: () => ({ orderId: '1001', amount: { value: 650000, currency: 'NGN' } }),
    onPaid: (event) => orderIdOf(event),
  });
`;
const required = `
  const { createCheckout } = require('transfer-checkout/server-kit');
  process.stdout.write(typeof createCheckout);
`;

describe('the oldest TypeScript', () => {
  it.each([
    ['5.4', { module: 'esnext', moduleResolution: 'bundler' }, ['shop.ts']],
    ['5.9', { module: 'nodenext', moduleResolution: 'nodenext' }, ['shop.mts', 'shop.cts']],
    ['5.9', { module: 'node20', moduleResolution: 'node16' }, ['shop.mts', 'shop.cts']],
    ['5.9', { module: 'node16', moduleResolution: 'node16' }, ['shop.mts', 'shop.cts']],
  ])('knows the types: %s with %o', async (version, modules, files) => {
    const { folder, remove } = await installShop(`typescript@${version}`, '@types/node@20');
    onTestFinished(remove);
    const own = {
      ...compilerOptions,
      ...modules,
      types: ['node'],
      jsx: undefined,
      jsxImportSource: undefined,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: own, files }));
    const compile = () => runTool(join(folder, 'node_modules/.bin/tsc'), ['-p', folder]);
    for (const file of files) await writeFile(join(folder, file), shopOnServer);
    expect((await compile()).output).toBe('');
    const [file = ''] = files;
    await writeFile(join(folder, file), shopOnServer.replace(/publicUrl: .*/, ''));
    const { output } = await compile();
    expect(output).toMatch(/Property 'publicUrl' is missing .* but required in type 'CheckoutOptions'/);
    expect(output).not.toContain('Omit<');
  });

  it('is not needed to require the package from CommonJS', async () => {
    const { folder, remove } = await installShop();
    onTestFinished(remove);
    await writeFile(join(folder, 'shop.cjs'), required);
    const { output } = await runTool('node', ['--no-warnings', join(folder, 'shop.cjs')]);
    expect(output).toBe('function');
  });
});
