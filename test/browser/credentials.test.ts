import { join } from 'node:path';
import sirv from 'sirv';
import { toNodeListener } from '../../server-kit/node.ts';
import { createTestShop } from '../../server-kit/tools/testing/index.ts';
import { CheckoutError } from '../../src/contract/index.ts';
import { serve } from '../server-kit/kit/serve.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { openShop } from './shop-page.ts';

/** The shop's server: every path is a page with the checkout, except the package's files. */
async function servePages(apiUrl: () => string): Promise<string> {
  const files = sirv(join(projectFolder, 'dist/browser'));
  const { port } = await serve((request, response) => {
    if (request.url?.endsWith('.js')) return files(request, response);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">
      <script src="/checkout.js" data-allowed-origins="${apiUrl()}" async></script>
      <transfer-checkout base-url="${apiUrl()}/checkout" credentials="include"></transfer-checkout>`);
  });
  return `http://shop.localhost:${port}`;
}

it('a checkout handler on another origin of the site authorises by a cookie, from the account to the receipt', async ({
  expect,
  newShopper,
}) => {
  let apiUrl = '';
  const pagesUrl = await servePages(() => apiUrl);
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
  const context = await newShopper();
  await context.addCookies([
    { name: 'order', value: 'order-1', url: apiUrl, httpOnly: true, sameSite: 'Lax' },
  ]);
  const page = await openShop(context, pagesUrl);
  await page.untilState('awaitingTransfer');
  const reference = await page.text('reference');
  await expect.poll(() => page.requested.some((url) => url.includes('/sessions/tc_'))).toBe(true);
  await shop.pay({ reference });
  await page.untilState('succeeded');
  expect(cookies).toEqual(['order=order-1']);
  expect(page.complaints).toEqual([]);
});
