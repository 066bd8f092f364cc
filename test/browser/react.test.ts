import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { inject } from 'vitest';
import { it } from './browser-test.ts';
import { giveCart, openShop, pay } from './shop-page.ts';

const demoUrl = inject('demoUrl');
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const page = `
  import { createElement as h, StrictMode, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { TransferCheckout, useTransferCheckout } from 'transfer-checkout/react';

  function Page() {
    const [name, setName] = useState('Kola');
    const above = useTransferCheckout({ baseUrl: '/checkout' });
    return h('main', null,
      h('button', { onClick: () => setName('Zed') }, 'Rename'),
      h('button', { onClick: () => above.open() }, 'Open'),
      h(TransferCheckout, { baseUrl: '/checkout', body: {}, merchantName: name, onSucceeded: () => setName('Paid') }));
  }
  createRoot(document.body).render(h(StrictMode, null, h(Page)));
`;

/** A page with the built package and React, as a shop would bundle them. */
async function bundle(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { alias: { 'transfer-checkout/react': at('../../dist/react.js') } },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? at('page.js') : undefined),
        load: (id) => (id === at('page.js') ? page : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: 'page', output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return output.output[0].code;
}

it('a React page in StrictMode creates one session, keeps it when it renders again, and sees it paid', async ({
  expect,
  newShopper,
}) => {
  const context = await newShopper({ viewport: { width: 1280, height: 800 } });
  await context.route(`${demoUrl}/react-page`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><body><script type="module" src="/react-page.js"></script>',
    }),
  );
  const code = await bundle();
  await context.route(`${demoUrl}/react-page.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: code }),
  );
  await giveCart(context, demoUrl);
  const shop = await openShop(context, demoUrl, '/react-page');
  const made = (): string[] => shop.requested.filter((url) => url.endsWith('/checkout/sessions'));
  const inline = shop.page.locator('main .card');
  await shop.untilState('awaitingTransfer');
  await shop.page.getByRole('button', { name: 'Rename' }).click();
  await inline.getByText('Zed', { exact: true }).waitFor();
  await pay(shop);
  await shop.untilState('succeeded');
  await inline.getByText('Paid', { exact: true }).waitFor();
  expect(made().length).toBe(1);
  await shop.page.getByRole('button', { name: 'Open' }).click();
  await shop.page.locator('[data-checkout-modal] .card[data-state="succeeded"]').waitFor();
  expect(shop.complaints).toEqual([]);
});
