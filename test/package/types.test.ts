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

  const options: CheckoutOptions = { baseUrl: '/checkout' };
  mountCheckout(document.body, options).unmount();
  document.createElement('transfer-checkout').baseUrl satisfies string | undefined;
  export { createCheckout, renderCheckout };
`;

const jsx = `
  export const right = <transfer-checkout modal class="pay" baseUrl="/pay" body={{ orderId: '7' }} theme="dark" />;
  // @ts-expect-error an unknown theme
  export const wrong = <transfer-checkout theme="sepia" />;
`;

it.each([
  ['without Preact', 'ts', script, []],
  ['beside Preact 10, with its JSX', 'tsx', script + jsx, ['preact@10']],
] as const)('the types of the packed file compile %s', async (_, kind, code, others) => {
  const { folder, remove } = await installShop(...others);
  onTestFinished(remove);
  await writeFile(join(folder, `page.${kind}`), code);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const { output } = await runTool('tsc', ['-p', folder]);
  expect(output).toBe('');
});
