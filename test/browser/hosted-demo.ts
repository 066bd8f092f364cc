import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import sirv from 'sirv';
import { type Served, serveUntilClosed } from '../server-kit/kit/serve.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it as browserIt } from './browser-test.ts';
import { digitsOf, openShop } from './shop-page.ts';

const folder = '/some/where';

export type HostedSite = Pick<Served, 'url' | 'close'> & {
  /** Publishes a worker that differs by a comment. */
  publishWorker: () => void;
};

/** Serves the hosted demo in a folder, as a static file server does. No other process runs. */
export async function serveHostedDemo(): Promise<HostedSite> {
  const built = join(projectFolder, 'dist/demo');
  const files = sirv(built, { etag: true });
  let comment = '';
  const { port, close } = await serveUntilClosed((request, response) => {
    const { url = '/' } = request;
    const notFound = (): void => void response.writeHead(404).end();
    if (!url.startsWith(`${folder}/`)) return notFound();
    request.url = url.slice(folder.length);
    if (request.url === '/worker.js' && comment !== '') {
      response.setHeader('content-type', 'text/javascript');
      return response.end(readFileSync(join(built, 'worker.js'), 'utf8') + comment);
    }
    files(request, response, notFound);
  });
  return {
    url: `http://localhost:${port}${folder}`,
    close,
    publishWorker() {
      comment = '// A new version.';
    },
  };
}

/** A test function with a static file server for each file. */
export const it = browserIt
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
  .extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
    const site = await serveHostedDemo();
    onCleanup(site.close);
    return site;
  });

/** Ends the browser's workers, as it does with idle ones. */
export async function killWorker(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.detach();
}

/** Sends money to the account on the page, from the page itself: only its worker has the payments service. */
export async function send(page: Page, amount: number): Promise<void> {
  const accountNumber = digitsOf(await page.locator('[data-field="accountNumber"]').first().innerText());
  const status = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch('service/_sandbox/transfers', { method: 'POST', headers, body })).status;
  }, JSON.stringify({ accountNumber, amount }));
  if (status !== 200) throw new Error(`The transfer got ${status}.`);
}

export const press = (page: Page, action: string): Promise<void> => page.click(`[data-action="${action}"]`);

/** Opens the first page of the shop, up to its account. */
export async function openPaying(context: BrowserContext, url: string) {
  const shop = await openShop(context, url);
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  await shop.page.locator('[data-action="send-exactly"]').waitFor();
  return { ...shop, account: digitsOf(await shop.text('accountNumber')) };
}
