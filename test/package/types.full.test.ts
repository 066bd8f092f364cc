import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installShop } from './installed-shop.ts';
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
  import { createPaymentsClient, type Payment } from 'transfer-checkout/server-kit/client';

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

describe('the types of the packed file', () => {
  it('resolve under NodeNext and bundlers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { file } = await packInto(folder);
    const others = ['--exclude-entrypoints', './checkout.js', './checkout.css'];
    const { code, output } = await runTool('attw', [file, '--profile', 'esm-only', ...others, '--no-emoji']);
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
