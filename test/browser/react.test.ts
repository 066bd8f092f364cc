import { join } from 'node:path';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { bundleScript, openBundled } from './bundled-page.ts';
import { pay } from './shop-page.ts';

const script = `
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

it('a React page in StrictMode creates one session, keeps it when it renders again, and sees it paid', async ({
  expect,
  newShopper,
}) => {
  const context = await newShopper({ viewport: { width: 1280, height: 800 } });
  const alias = { 'transfer-checkout/react': join(projectFolder, 'dist/react.js') };
  const code = await bundleScript(script, { folder: join(projectFolder, 'build'), alias });
  const shop = await openBundled(context, code);
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
