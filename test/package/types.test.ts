import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installShop } from './installed-shop.ts';
import { runTool } from './tool.ts';

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

it('the types of the packed file compile without Preact, and beside Preact 10 with its JSX', async () => {
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
