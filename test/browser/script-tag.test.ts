import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { describe, inject } from 'vitest';
import { viewOf } from '../core/views.ts';
import { readPage, samplesOf } from '../docs/pages.ts';
import { runTool } from '../package/tool.ts';
import { serve } from '../server-kit/kit/serve.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { digitsOf, giveCart, hold, openShop, type ShopPage } from './shop-page.ts';

const demoUrl = inject('demoUrl');
const cdn = 'https://cdn.example';
const element = '<transfer-checkout base-url="/checkout"></transfer-checkout>';
const policy =
  "default-src 'none'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; script-src";

type Change = (file: string, code: string) => string;

/** Serves the built files from another origin, with CORS for every page. */
async function serveCdn(context: BrowserContext, change: Change = (_, code) => code): Promise<void> {
  await context.route(`${cdn}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(1);
    return route.fulfill({
      contentType: file.endsWith('.css') ? 'text/css' : 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
      body: change(file, readFileSync(join(projectFolder, 'dist/browser', file), 'utf8')),
    });
  });
}

/** Opens a page of the shop with this head and body. */
async function openPage(
  context: BrowserContext,
  head: string,
  body = element,
  csp = `${policy} 'self' ${cdn}`,
): Promise<ShopPage> {
  await context.route(`${demoUrl}/a-page`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': csp },
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A page</title>${head}<body>${body}</body></html>`,
    }),
  );
  await giveCart(context, demoUrl);
  return openShop(context, demoUrl, '/a-page');
}

const postsOf = ({ requested }: ShopPage): string[] =>
  requested.filter((url) => url.endsWith('/checkout/sessions'));

describe('checkout.js from another origin', () => {
  it.for([
    `<script src="${cdn}/checkout.js" async></script>`,
    `<script src="${cdn}/checkout.js" async crossorigin></script>`,
    `<script src="${cdn}/checkout.js" type="module" crossorigin></script>`,
  ])('shows the checkout under a strict policy: %s', async (tag, { expect, newShopper }) => {
    const context = await newShopper({ viewport: { width: 1280, height: 800 } });
    await serveCdn(context);
    const shop = await openPage(context, tag);
    await shop.untilState('awaitingTransfer');
    await shop.page.locator('[data-action="qr"]').click();
    await shop.page.locator('canvas.qr').waitFor();
    expect(shop.complaints).toEqual([]);
    expect(postsOf(shop)).toHaveLength(1);
  });

  it('reports a missing CORS header, on the page and to the developer', async ({ expect, newShopper }) => {
    // Real servers, because CORS does not apply to routed responses.
    const cdnServer = await serve((request, response) => {
      const file = new URL(`${request.url}`, 'http://cdn').pathname;
      response.setHeader('content-type', 'text/javascript');
      response.end(readFileSync(join(projectFolder, 'dist/browser', file)));
    });
    const shopServer = await serve((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.setHeader('content-security-policy', `${policy} ${cdnServer.url}`);
      response.end(
        `<!doctype html><html lang="en"><title>A page</title><script src="${cdnServer.url}/checkout.js" async></script><body>${element}`,
      );
    });
    const shop = await openShop(await newShopper(), shopServer.url);
    await shop.page.getByText('This could not be loaded').waitFor();
    await expect
      .poll(() => shop.complaints.join())
      .toContain('another origin must send Access-Control-Allow-Origin');
  });
});

describe('an early session request', () => {
  it('is sent once while the widget loads, which is requested first, and its session is shown', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper();
    const letGo = await hold(context, /checkout-widget-/);
    const shop = await openPage(context, '<script src="/package/checkout.js" async></script>');
    await expect.poll(() => postsOf(shop)).toHaveLength(1);
    const indexOf = (part: string): number => shop.requested.findIndex((url) => url.includes(part));
    expect(indexOf('/checkout-widget-')).toBeLessThan(indexOf('/checkout/sessions'));
    letGo();
    await shop.untilState('awaitingTransfer');
    await shop.field('countdown').filter({ hasText: ':' }).waitFor();
    expect(postsOf(shop)).toHaveLength(1);
    expect(shop.complaints).toEqual([]);
  });

  it('is sent by a reloaded page, and is the only one', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const shop = await openPage(context, '<script src="/package/checkout.js" async></script>');
    await shop.untilState('awaitingTransfer');
    const reference = await shop.text('reference');
    await shop.page.waitForFunction(() => localStorage.getItem('transfer-checkout') !== null);
    const letGo = await hold(context, /checkout-widget-/);
    shop.requested.length = 0;
    const early = shop.page.waitForRequest(/\/sessions$/);
    await shop.page.reload();
    expect((await early).headers().authorization).toContain(`${reference}.cs_test_`);
    letGo();
    await shop.untilState('awaitingTransfer');
    expect(await shop.text('reference')).toBe(reference);
    expect(postsOf(shop)).toHaveLength(1);
  });

  it('is not sent by a page with an unpressed button', async ({ expect, newShopper }) => {
    const button = '<button data-transfer-checkout data-base-url="/checkout">Pay</button>';
    const shop = await openPage(
      await newShopper(),
      '<script src="/package/checkout.js" async></script>',
      button,
    );
    await shop.page.waitForLoadState('networkidle');
    expect(postsOf(shop)).toEqual([]);
  });
});

describe('a file pinned by its integrity, as the documentation says', async () => {
  const [sample = ''] = samplesOf(readPage('docs/guide/cdn.md'), 'js');
  const script = sample
    .replace('https://cdn.shop.example/transfer-checkout', cdn)
    .replace('node_modules/transfer-checkout/', '');
  const { stdout } = await runTool('node', ['--input-type=module', '--eval', script]);
  const head = stdout.replace('NONCE', 'n');
  const csp = `${policy} 'self' 'nonce-n' ${cdn}`;

  it('is loaded when it matches', async ({ expect, newShopper }) => {
    const context = await newShopper();
    await serveCdn(context);
    const shop = await openPage(context, head, element, csp);
    await shop.untilState('awaitingTransfer');
    expect(shop.complaints).toEqual([]);
  });

  it('never runs when it was changed, nor after a retry', async ({ expect, newShopper }) => {
    const context = await newShopper();
    await serveCdn(context, (file, code) =>
      file.includes('widget') ? `window.changed = true;${code}` : code,
    );
    const shop = await openPage(context, head, element, csp);
    await shop.page.getByText('This could not be loaded').waitFor();
    expect(await shop.page.evaluate(() => 'changed' in window)).toBe(false);
  });
});

it('inline styles with a nonce need no other file and no script', async ({ expect, newShopper }) => {
  const context = await newShopper({ javaScriptEnabled: false });
  const { renderCheckout } = await import(join(projectFolder, 'dist/render.js'));
  const html = await renderCheckout(viewOf(), { nonce: 'abc' });
  const csp = "default-src 'none'; style-src 'nonce-abc'";
  const shop = await openPage(context, '', html, csp);
  expect(digitsOf(await shop.text('accountNumber'))).toBe(viewOf().account.number);
  // A painted card is styled: the number is its largest text.
  expect((await shop.field('accountNumber').boundingBox())?.height).toBeGreaterThan(25);
  expect(shop.requested).toEqual([`${demoUrl}/a-page`]);
});
