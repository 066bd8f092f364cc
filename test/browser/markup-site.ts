import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { headersOf, sessionOf } from '../core/views.ts';
import { type Served, serveUntilClosed } from '../server-kit/kit/serve.ts';
import { projectFolder } from '../setup/demo-process.ts';

/** What a page of the shop contains, and its content security policy. */
export type SitePage = { readonly html: string; readonly csp?: string | undefined };

/** A site of the shop or of somebody else, with the built files in `/package/` and a checkout server in `/checkout`. */
export type Site = {
  readonly url: string;
  readonly accountNumber: string;
  /** The requests to the checkout server, such as `POST {"orderId":"7"}`. */
  readonly checkoutRequests: string[];
  /** Sets the page at `/page`. */
  readonly setPage: (page: SitePage) => void;
  readonly close: () => Promise<void>;
};

/** The script that this site serves as any other file: it marks the page. */
const marking = 'document.documentElement.dataset.foreign = "true";';

/** Files arrive late enough for the parser to have read the page to its end. */
const fileDelayMs = 150;

export async function startSite(accountNumber: string): Promise<Site> {
  let page: SitePage = { html: '' };
  const checkoutRequests: string[] = [];

  const respondToCheckout = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method } = request;
    if (method === 'OPTIONS') return void response.writeHead(204).end();
    checkoutRequests.push(`${method} ${await text(request)}`);
    if (request.headers.prefer) return;
    const account = { number: accountNumber, name: 'A shop', bankName: 'A bank' };
    response.writeHead(method === 'POST' ? 201 : 200, headersOf('a'));
    response.end(JSON.stringify(sessionOf({ account })));
  };

  const served: Served = await serveUntilClosed((request, response) => {
    const { pathname } = new URL(`${request.url}`, 'http://site');
    response.setHeader('access-control-allow-origin', '*');
    const allowed = 'checkout-secret,checkout-contract,content-type,prefer';
    response.setHeader('access-control-allow-headers', allowed);
    if (pathname.startsWith('/checkout/')) return void respondToCheckout(request, response);
    if (pathname === '/page') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (page.csp) response.setHeader('content-security-policy', page.csp);
      return void response.end(`<!doctype html><html lang="en"><title>A page</title>${page.html}`);
    }
    response.setHeader('content-type', 'text/javascript');
    const file = /^\/package\/(checkout[\w.-]*)$/.exec(pathname)?.[1];
    const body = file ? readFileSync(join(projectFolder, 'dist/browser', file)) : marking;
    setTimeout(() => response.end(body), fileDelayMs);
  });

  return {
    url: served.url,
    accountNumber,
    checkoutRequests,
    setPage(next) {
      page = next;
      checkoutRequests.length = 0;
    },
    close: served.close,
  };
}
