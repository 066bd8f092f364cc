import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { toNodeListener } from '../../server-kit/node.ts';
import { createTestShop } from '../../server-kit/tools/testing/index.ts';
import { CheckoutError } from '../../src/contract/index.ts';
import { serve } from '../server-kit/kit/serve.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { openShop } from './shop-page.ts';

const files = join(projectFolder, 'dist/browser');

/** The shop's server: every path is a page with the checkout, except the package's files. */
async function servePages(baseUrl: () => string): Promise<string> {
  const { port } = await serve(async ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://shop.localhost');
    if (pathname.endsWith('.js')) {
      response.setHeader('content-type', 'text/javascript');
      return response.end(await readFile(join(files, pathname)));
    }
    response.setHeader('content-type', 'text/html');
    const credentials = searchParams.get('credentials');
    response.end(`<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">
      <script src="/checkout.js" data-allowed-origins="${new URL(baseUrl()).origin}" async></script>
      <transfer-checkout base-url="${baseUrl()}" ${credentials ? `credentials="${credentials}"` : ''}></transfer-checkout>`);
  });
  return `http://shop.localhost:${port}`;
}

/** A shop whose checkout handler is on another origin of its site, and identifies the order by a cookie. */
async function openShopOfTwoOrigins() {
  let apiUrl = '';
  const pagesUrl = await servePages(() => `${apiUrl}/checkout`);
  const cookies: (string | null)[] = [];
  const shop = createTestShop({
    allowedOrigins: [pagesUrl],
    getOrder({ headers }) {
      const cookie = headers.get('cookie');
      cookies.push(cookie);
      if (cookie !== 'order=order-1') throw new CheckoutError('forbidden', 'Your cart has ended.');
      return { orderId: 'order-1', amount: { value: 1_250_000, currency: 'NGN' } };
    },
  });
  const { port } = await serve(toNodeListener(shop.checkout));
  apiUrl = `http://api.shop.localhost:${port}`;
  const cookie = { name: 'order', value: 'order-1', url: apiUrl, httpOnly: true, sameSite: 'Lax' as const };
  return { shop, pagesUrl, cookie, cookies };
}

describe('a checkout handler on another origin that authorises by a cookie', () => {
  it('serves a checkout with credentials="include", from the account to the receipt', async ({
    expect,
    newShopper,
  }) => {
    const { shop, pagesUrl, cookie, cookies } = await openShopOfTwoOrigins();
    const context = await newShopper();
    await context.addCookies([cookie]);
    const page = await openShop(context, pagesUrl, '/?credentials=include');
    await page.untilState('awaitingTransfer');
    const reference = await page.text('reference');
    await expect.poll(() => page.requested.some((url) => url.includes('/sessions/tc_'))).toBe(true);
    await shop.pay({ reference });
    await page.untilState('succeeded');
    expect(cookies).toEqual(['order=order-1']);
    expect(page.complaints).toEqual([]);
  });

  it.for(['', '?credentials=omit'])(
    'refuses a checkout without it: "%s"',
    async (query, { expect, newShopper }) => {
      const { pagesUrl, cookie, cookies } = await openShopOfTwoOrigins();
      const context = await newShopper();
      await context.addCookies([cookie]);
      const page = await openShop(context, pagesUrl, `/${query}`);
      await page.untilState('unavailable');
      expect(cookies).toEqual([null]);
      expect(await page.field('accountNumber').count()).toBe(0);
    },
  );
});
