import { join } from 'node:path';
import { inject } from 'vitest';
import { installShop } from '../package/installed-shop.ts';
import { runTool } from '../package/tool.ts';
import { it as browserTest } from './browser-test.ts';
import { bundleScript, servePage } from './bundled-page.ts';
import { giveCart, openShop, pay } from './shop-page.ts';

const demoUrl = inject('demoUrl');

const it = browserTest
  /** The packed package beside Preact 10, which another package of a shop may have brought. */
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
  .extend('shop', { scope: 'file' }, async ({}, { onCleanup }) => {
    const shop = await installShop('preact@10');
    onCleanup(shop.remove);
    return shop;
  });

/** Records which elements the page's own Preact creates. */
const script = `
  import { h, options, render } from 'preact';
  import { useState } from 'preact/hooks';
  import { mountCheckout } from 'transfer-checkout';
  import 'transfer-checkout/element';

  const created = (window.created = new Set());
  options.vnode = ({ type }) => typeof type === 'string' && created.add(type);
  function Page() {
    const [presses, setPresses] = useState(0);
    return h('main', null,
      h('button', { onClick: () => setPresses(presses + 1) }, 'Pressed: ', presses),
      h('transfer-checkout', { 'base-url': '/checkout' }),
      h('div', { ref: (element) => element && mountCheckout(element, { baseUrl: '/checkout' }) }));
  }
  render(h(Page), document.body);
`;

it('a page with Preact 10 shows the checkout, which shares nothing with it', async ({
  expect,
  newShopper,
  shop: { folder },
}) => {
  const context = await newShopper({ viewport: { width: 1280, height: 800 } });
  const path = await servePage(context, demoUrl, await bundleScript(script, { folder }));
  await giveCart(context, demoUrl);
  const shop = await openShop(context, demoUrl, path);
  for (const host of ['transfer-checkout', 'main > div'])
    await shop.page.locator(`${host} [data-field="accountNumber"]`).waitFor();
  await pay(shop);
  for (const host of ['transfer-checkout', 'main > div'])
    await shop.page.locator(`${host} .card[data-state="succeeded"]`).waitFor();
  await shop.page.getByRole('button', { name: 'Pressed: 0' }).click();
  await shop.page.getByRole('button', { name: 'Pressed: 1' }).waitFor();
  expect(await shop.page.evaluate('[...created].sort()')).toEqual([
    'button',
    'div',
    'main',
    'transfer-checkout',
  ]);
  expect(shop.complaints).toEqual([]);
});

it('a server with Preact 10 renders the account', async ({ expect, shop }) => {
  const code = `
    import { renderCheckout } from 'transfer-checkout/render';
    import { createTestShop } from 'transfer-checkout/testing';
    const { open } = createTestShop();
    console.log(await renderCheckout(await open(), { stylesheet: '/checkout.css' }));`;
  const { output } = await runTool('node', ['--input-type=module', '--eval', code], shop);
  expect(output).toMatch(/<div data-rendered><div class="card".*data-field="accountNumber"/);
});

it('the package brings none of the packages that it contains', async ({ expect, shop: { folder } }) => {
  const { stdout } = await runTool('npm', ['ls', '--all', '--parseable'], { folder });
  const paths = stdout
    .trim()
    .split('\n')
    .map((path) => path.slice(join(folder, 'node_modules/').length))
    .filter(Boolean);
  expect(paths).not.toContainEqual(
    expect.stringMatching(/transfer-checkout\/node_modules|qrcode|yargs|render-to-string/),
  );
  expect(paths).toEqual(expect.arrayContaining(['preact', 'transfer-checkout', 'valibot']));
});
