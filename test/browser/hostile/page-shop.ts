import { join } from 'node:path';
import sirv from 'sirv';
import type { CheckoutOptions } from '../../../server-kit/engine/options.ts';
import { toNodeListener } from '../../../server-kit/node.ts';
import { createTestShop } from '../../../server-kit/tools/testing/index.ts';
import { serveUntilClosed } from '../../server-kit/kit/serve.ts';
import { projectFolder } from '../../setup/demo-process.ts';
import { watchScript } from '../watched-demo.ts';

export type PageShop = Awaited<ReturnType<typeof startPageShop>>;

/** Starts a shop whose pages a test writes. The body of a session request names the order, as `{ "orderId": "…" }`. */
export async function startPageShop() {
  const files = sirv(join(projectFolder, 'dist/browser'));
  const pages = new Map<string, string>();
  const requested: string[] = [];
  const getOrder: CheckoutOptions['getOrder'] = ({ body }) => ({
    orderId: `${Object(body).orderId}`,
    amount: { value: 1_250_000, currency: 'NGN' },
  });
  const sandbox = { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' } as const;
  const shop = createTestShop({ getOrder }, { sandbox });
  const serveCheckout = toNodeListener(shop.checkout);
  const { url, close } = await serveUntilClosed((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop.localhost');
    requested.push(`${request.method} ${request.url}`);
    if (pathname.startsWith('/checkout/')) return serveCheckout(request, response);
    // For frames without an origin, as a CDN does.
    response.setHeader('access-control-allow-origin', '*');
    if (pathname.startsWith('/package/')) {
      request.url = pathname.replace('/package', '');
      return files(request, response);
    }
    const isScript = pathname === '/watch.js';
    const content = isScript ? watchScript : pages.get(pathname);
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  return {
    shop,
    url,
    close,
    /** The requests of all pages, with their URLs. */
    requested,
    addPage: (path: string, html: string): string => {
      pages.set(path, html);
      return url + path;
    },
  };
}
