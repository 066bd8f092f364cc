import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { createPaymentsClient } from '../../server-kit/core/client.ts';
import { toNodeListener } from '../../server-kit/node.ts';
import { createTestClock, createTestShop, type TestShop } from '../../server-kit/tools/testing/index.ts';
import { CheckoutError } from '../../src/contract/index.ts';
import { serveUntilClosed } from '../server-kit/kit/serve.ts';
import { projectFolder } from '../setup/demo-process.ts';

/** Values that occur nowhere but here, so that each can be looked for. */
export const secretKeys = {
  apiKey: 'pk_test_sentinel5d0c71',
  apiSecret: 'sk_test_sentinel94be2f',
  authToken: 'auth_test_sentinel18a6c3',
  clientSecretKey: 'sentinel-client-secret-key-77f0d2-of-32-characters',
  olderKey: 'sentinel-older-secret-key-3c9e15-of-32-characters',
  operatorKey: 'sentinel-operator-key-e8b46a-of-32-characters',
};
/** The service puts the name into that of the account, which shoppers see. */
export const customer = { name: 'Sentinela Obiora', email: 'sentinel-c2f8@example.com' };
export const metadata = { deliverTo: '7 Sentinel Street b91d' };

/** The shop's one page, with the documented markup: an element that names no order. */
const page = `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">
  <script src="/checkout.js" async></script><transfer-checkout base-url="/checkout"></transfer-checkout>`;

/** A response of the shop's server, as text with its headers. */
export type Exchange = { shopper: string | undefined; route: string; status: number; text: string };

const shopperOf = (cookie: string | null | undefined): string | undefined =>
  /shopper=(\w+)/.exec(cookie ?? '')?.[1];

/** Starts a shop with one order for each signed-in shopper, which records every response and every log entry. */
export async function startRecordedShop(onTestFinished: (close: () => Promise<void>) => void) {
  const exchanges: Exchange[] = [];
  const log: unknown[] = [];
  const { clientSecretKey, olderKey, operatorKey, ...credentials } = secretKeys;
  let isHandlerDown = false;
  const clock = createTestClock();
  const payments = createPaymentsClient({
    baseUrl: 'https://service.example',
    ...credentials,
    now: clock.now,
    wait: clock.wait,
    fetch: (input, init) => shop.sandbox.fetch(input, init),
  });
  const shop: TestShop = createTestShop(
    {
      client: payments,
      clientSecretKeys: [clientSecretKey, olderKey],
      operatorKey,
      onLog: (entry) => log.push(entry),
      getOrder({ headers }) {
        const shopper = shopperOf(headers.get('cookie'));
        if (shopper === undefined) throw new CheckoutError('forbidden', 'Sign in.');
        if (shopper === 'unlucky') throw new Error(`The database of the shop is down.`);
        const amount = { value: 1_250_000, currency: 'NGN' } as const;
        return { orderId: `order-of-${shopper}`, amount, customer, metadata };
      },
      onPaid() {
        if (isHandlerDown) throw new Error('The warehouse is closed.');
      },
    },
    { clock, sandbox: { ...credentials, acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' } },
  );
  const serveCheckout = toNodeListener(shop.checkout);
  const { url, close } = await serveUntilClosed(async (request, response) => {
    record(request, response, exchanges);
    const { pathname } = new URL(request.url ?? '/', 'http://shop.localhost');
    if (pathname.startsWith('/checkout/')) return serveCheckout(request, response);
    const isScript = pathname.endsWith('.js');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? await readFile(join(projectFolder, 'dist/browser', pathname)) : page);
  });
  onTestFinished(close);
  const closeWarehouse = (): void => {
    isHandlerDown = true;
  };
  return { shop, url, exchanges, log, closeWarehouse };
}

function record(request: IncomingMessage, response: ServerResponse, exchanges: Exchange[]): void {
  const shopper = shopperOf(request.headers.cookie);
  const { end, writeHead } = response;
  let written = '';
  response.writeHead = ((...head: unknown[]) => {
    written = JSON.stringify(head);
    return Reflect.apply(writeHead, response, head);
  }) as typeof writeHead;
  response.end = ((body?: unknown) => {
    const { statusCode: status } = response;
    const text = `${written}${JSON.stringify(response.getHeaders())}\n${body ?? ''}`;
    exchanges.push({ shopper, route: `${request.method} ${request.url}`, status, text });
    return Reflect.apply(end, response, [body]);
  }) as typeof end;
}

/** Records what a page requests, says in its console, and shows. */
export function recordPage(opened: Page) {
  const addresses: string[] = [];
  const requested: string[] = [];
  const said: string[] = [];
  opened.on('request', (request) => {
    const { 'checkout-secret': _, ...headers } = request.headers();
    addresses.push(request.url());
    requested.push(JSON.stringify([request.url(), headers, request.postData()]));
  });
  opened.on('console', (message) => said.push(message.text()));
  opened.on('pageerror', (error) => said.push(String(error)));
  /** The markup with all shadow roots, and everything that the site has stored. */
  const shown = (): Promise<{ markup: string; stored: string }> =>
    opened.evaluate(() => {
      const markupOf = (root: ParentNode & { innerHTML?: string }): string =>
        [
          root.innerHTML ?? '',
          ...[...root.querySelectorAll('*')].map(({ shadowRoot }) =>
            shadowRoot ? markupOf(shadowRoot) : '',
          ),
        ].join('\n');
      return {
        markup: `${location.href}\n${markupOf(document.documentElement)}`,
        stored: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      };
    });
  return { addresses, requested, said, shown };
}

export const signIn = (context: BrowserContext, url: string, shopper: string): Promise<void> =>
  context.addCookies([{ name: 'shopper', value: shopper, url }]);
