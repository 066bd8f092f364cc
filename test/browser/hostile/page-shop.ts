import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckoutOptions } from '../../../server-kit/engine/options.ts';
import { toNodeListener } from '../../../server-kit/node.ts';
import { createTestShop } from '../../../server-kit/tools/testing/index.ts';
import { serveUntilClosed } from '../../server-kit/kit/serve.ts';
import { projectFolder } from '../../setup/demo-process.ts';
import { watchScript } from '../watched-demo.ts';

const packageFolder = join(projectFolder, 'dist/browser');

const contentTypes = { js: 'text/javascript', html: 'text/html; charset=utf-8' };

/** Returns a file of the package; undefined where it has none of this name. */
const readPackageFile = (file: string): Promise<Buffer | undefined> =>
  readFile(join(packageFolder, file)).catch(() => undefined);

export type PageShop = Awaited<ReturnType<typeof startPageShop>>;

/** Starts a shop whose pages a test writes. The body of a session request names the order, as `{ "orderId": "…" }`. */
export async function startPageShop() {
  const pages = new Map<string, string>();
  const requested: string[] = [];
  const getOrder: CheckoutOptions['getOrder'] = ({ body }) => ({
    orderId: `${Object(body).orderId}`,
    amount: { value: 1_250_000, currency: 'NGN' },
  });
  const sandbox = { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' } as const;
  const shop = createTestShop({ getOrder }, { sandbox });
  const serveCheckout = toNodeListener(shop.checkout);
  const { url, close } = await serveUntilClosed(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop.localhost');
    requested.push(`${request.method} ${request.url}`);
    if (pathname.startsWith('/checkout/')) return serveCheckout(request, response);
    const [, folder = '', file = ''] = pathname.split('/');
    const kind = pathname.endsWith('.js') ? 'js' : 'html';
    response.setHeader('content-type', contentTypes[kind]);
    // For frames without an origin, as a CDN does.
    response.setHeader('access-control-allow-origin', '*');
    if (pathname === '/watch.js') return void response.end(watchScript);
    const page = folder === 'package' ? await readPackageFile(file) : pages.get(pathname);
    response.statusCode = page === undefined ? 404 : 200;
    response.end(page);
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
