import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import sirv from 'sirv';
import { describe, inject } from 'vitest';
import { viewOf } from '../core/views.ts';
import { readPage, samplesOf } from '../docs/pages.ts';
import { runTool } from '../package/tool.ts';
import { serve } from '../server-kit/kit/serve.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { digitsOf, hold, openContent, openShop, type PageParts, type ShopPage } from './shop-page.ts';

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

/** Opens a page of the shop with the element, under a strict policy, unless `parts` say otherwise. */
const openPage = (context: BrowserContext, parts: Partial<PageParts> = {}): Promise<ShopPage> =>
  openContent(context, { body: element, policy: `${policy} 'self' ${cdn}`, ...parts });

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
    const shop = await openPage(context, { head: tag });
    await shop.untilState('awaitingTransfer');
    await shop.page.locator('[data-action="qr"]').click();
    await shop.page.locator('canvas.qr').waitFor();
    expect(shop.complaints).toEqual([]);
    expect(postsOf(shop)).toHaveLength(1);
    const globals = await shop.page.evaluate(() =>
      Object.keys(window).filter((name) => /checkout|preact|valibot/i.test(name)),
    );
    expect(globals).toEqual(['TransferCheckout']);
  });

  it('reports a missing CORS header, on the page and to the developer', async ({ expect, newShopper }) => {
    // Real servers, because CORS does not apply to routed responses.
    const cdnServer = await serve(sirv(join(projectFolder, 'dist/browser')));
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

describe('checkout.js that an optimiser has moved', () => {
  const code = readFileSync(join(projectFolder, 'dist/browser/checkout.js'), 'utf8');
  const inlined = `<script nonce="n">${code}</script>`;
  const evaluated = `<script nonce="n">fetch('/package/checkout.js').then((file) => file.text()).then((text) => {
    const script = document.createElement('script');
    script.nonce = 'n';
    script.text = text;
    document.head.append(script);
    script.remove();
  });</script>`;
  const folder = (path: string): string =>
    `<script nonce="n">window.TransferCheckout = { assets: '${path}' };</script>`;
  const csp = `default-src 'none'; style-src 'self'; connect-src 'self'; script-src 'self' 'nonce-n'`;

  /** Serves the script joined with another one, in a folder of its own. */
  const joinScripts = (context: BrowserContext): Promise<unknown> =>
    context.route('**/js/all.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `window.other = true;${code}` }),
    );

  it.for([
    ['joined, with data-assets', '<script src="/js/all.js" data-assets="/package/" async></script>'],
    ['joined, with assets', `${folder('/package')}<script src="/js/all.js"></script>`],
    ['inlined', inlined.replace('nonce', 'data-assets="/package" nonce')],
    ['evaluated', `${folder('/package/')}${evaluated}`],
  ])(
    'loads its files from the folder that the page names: %s',
    async ([, head = ''], { expect, newShopper }) => {
      const context = await newShopper({ viewport: { width: 1280, height: 800 } });
      await joinScripts(context);
      const shop = await openPage(context, { head, policy: csp });
      await shop.untilState('awaitingTransfer');
      await shop.page.locator('[data-action="qr"]').click();
      await shop.page.locator('canvas.qr').waitFor();
      expect(shop.complaints).toEqual([]);
    },
  );

  it.for([
    ['inlined', inlined, /ask the shop/, 0],
    ['evaluated', evaluated, /ask the shop/, 0],
    ['joined', '<script src="/js/all.js" async></script>', /could not be loaded/, 1],
  ] as const)(
    'says once what is missing where it was %s',
    async ([, head, text, posts], { expect, newShopper }) => {
      const context = await newShopper();
      await joinScripts(context);
      const shop = await openPage(context, { head, policy: csp });
      await shop.page.getByText(text).waitFor();
      await expect.poll(() => shop.complaints).toEqual([expect.stringContaining('data-assets')]);
      expect(postsOf(shop)).toHaveLength(posts);
    },
  );
});

describe('a browser that is too old', () => {
  const missing = {
    showModal: 'delete HTMLDialogElement.prototype.showModal',
    at: 'delete Array.prototype.at',
    styles: `const { supports } = CSS;
      CSS.supports = (...given) => !String(given).includes('light-dark') && supports.apply(CSS, given)`,
  };
  const message = 'This browser is too old to show the payment here.';

  it.for(Object.values(missing))(
    'keeps the text that the page has written, and says so: %s',
    async (script, { expect, newShopper }) => {
      const context = await newShopper();
      await context.addInitScript(script);
      const fallback = '<p>Call 0700 SHOP to pay.</p></transfer-checkout>';
      const body = element.replace('</transfer-checkout>', fallback);
      const shop = await openPage(context, { body });
      await shop.page.getByText(message).waitFor();
      expect(await shop.page.getByText('Call 0700 SHOP to pay.').isVisible()).toBe(true);
      expect(await shop.page.getByRole('button').count()).toBe(0);
      await expect.poll(() => shop.complaints).toEqual([expect.stringContaining('too old')]);
      expect([postsOf(shop), shop.requested.filter((url) => url.includes('widget'))]).toEqual([[], []]);
    },
  );

  it('locks nothing where a button opens a dialog', async ({ expect, newShopper }) => {
    const context = await newShopper();
    await context.addInitScript(missing.showModal);
    const body =
      '<button data-transfer-checkout data-base-url="/checkout">Pay</button><a href="#other">Other</a>';
    const { page, requested, complaints } = await openPage(context, { body });
    await page.waitForFunction(() => customElements.get('transfer-checkout'));
    const button = page.getByRole('button');
    await button.click();
    await page.getByText(message).waitFor();
    // A dimmed page would take the clicks, a busy button would ignore them.
    await page.getByRole('link').click();
    await button.click();
    await expect.poll(() => complaints).toHaveLength(2);
    expect(await page.getByText(message).count()).toBe(1);
    expect(await button.getAttribute('aria-busy')).toBeNull();
    expect(requested.filter((url) => /sessions|widget/.test(url))).toEqual([]);
  });

  it('can read checkout.js: its syntax is that of 2020, and no younger', ({ expect }) => {
    const code = readFileSync(join(projectFolder, 'dist/browser/checkout.js'), 'utf8');
    expect(code.match(/(\|\||&&|\?\?)=|\d_\d|static ?\{|[{;,.]#\w|#\w+ in /g)).toBeNull();
  });
});

describe('an early session request', () => {
  it('is sent once while the widget loads, which is requested first, and its session is shown', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper();
    const letGo = await hold(context, /checkout-widget-/);
    const shop = await openPage(context);
    // Before the widget has come, the shopper can read where to pay.
    await shop.field('countdown').filter({ hasText: ':' }).waitFor();
    const account = digitsOf(await shop.text('accountNumber'));
    letGo();
    await shop.untilState('awaitingTransfer');
    expect(await shop.field('accountNumber').count()).toBe(1);
    expect(digitsOf(await shop.text('accountNumber'))).toBe(account);
    await shop.field('countdown').filter({ hasText: ':' }).waitFor();
    // By the page's own clock: the browser may report requests in another order than it was asked for them.
    const loaded = await shop.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .sort((one, other) => one.startTime - other.startTime)
        .map(({ name }) => name),
    );
    const indexOf = (part: string): number => loaded.findIndex((url) => url.includes(part));
    expect(indexOf('/checkout-widget-')).toBeLessThan(indexOf('/checkout/sessions'));
    expect(postsOf(shop)).toHaveLength(1);
    expect(shop.complaints).toEqual([]);
  });
});

describe('a file pinned by its integrity, as the documentation says', async () => {
  const [sample = ''] = samplesOf(readPage('docs/guide/script-tag.md'), 'js');
  const script = sample
    .replace('https://cdn.shop.example/transfer-checkout', cdn)
    .replace('node_modules/transfer-checkout/', '');
  const { stdout } = await runTool('node', ['--input-type=module', '--eval', script]);
  const head = stdout.replace('NONCE', 'n');
  const csp = `${policy} 'self' 'nonce-n' ${cdn}`;

  it('is loaded when it matches', async ({ expect, newShopper }) => {
    const context = await newShopper();
    await serveCdn(context);
    const shop = await openPage(context, { head, policy: csp });
    await shop.untilState('awaitingTransfer');
    expect(shop.complaints).toEqual([]);
  });

  it('never runs when it was changed, nor after a retry', async ({ expect, newShopper }) => {
    const context = await newShopper();
    await serveCdn(context, (file, code) =>
      file.includes('widget') ? `window.changed = true;${code}` : code,
    );
    const shop = await openPage(context, { head, policy: csp });
    await shop.page.getByText('This could not be loaded').waitFor();
    expect(await shop.page.evaluate(() => 'changed' in window)).toBe(false);
  });
});

it('inline styles with a nonce need no other file and no script', async ({ expect, newShopper }) => {
  const context = await newShopper({ javaScriptEnabled: false });
  const { renderCheckout } = await import(join(projectFolder, 'dist/render.js'));
  const html = await renderCheckout(viewOf(), { nonce: 'abc' });
  const csp = "default-src 'none'; style-src 'nonce-abc'";
  const shop = await openPage(context, { head: '', body: html, policy: csp });
  expect(digitsOf(await shop.text('accountNumber'))).toBe(viewOf().account.number);
  // A painted card is styled: the number is its largest text.
  expect((await shop.field('accountNumber').boundingBox())?.height).toBeGreaterThan(25);
  expect(shop.requested).toEqual([`${demoUrl}/a-page`]);
});
