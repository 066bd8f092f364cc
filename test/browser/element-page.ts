import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { toNodeListener } from '../../server-kit/node.ts';
import type { TestShop } from '../../server-kit/tools/testing/index.ts';
import { projectFolder } from '../setup/demo-process.ts';

const files = join(projectFolder, 'dist/browser');
const page = `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">
  <script src="/checkout.js" async></script><transfer-checkout base-url="/checkout"></transfer-checkout>`;

/** Serves a shop of one page, with the documented markup: the built script tag, and an element that names no order. */
export function serveElementPage({ checkout }: TestShop): RequestListener {
  const serveCheckout = toNodeListener(checkout);
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop.localhost');
    if (pathname.startsWith('/checkout/')) return serveCheckout(request, response);
    const isScript = pathname.endsWith('.js');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? await readFile(join(files, pathname)) : page);
  };
}
