import { fileURLToPath } from 'node:url';
import type { Page, Request } from 'playwright-core';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { createShopApp } from '../../demo/node/shop-app.ts';
import { openStorage } from '../../demo/node/storage.ts';
import { serveUntilClosed } from '../server-kit/kit/serve.ts';
import { it } from './browser-test.ts';
import { control, openShop, pay } from './shop-page.ts';

const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Starts the demo with a clock that stands still: no verification becomes due by time, neither in a held request nor in the background.
 * Only callbacks cause any, and what the sandbox's own clock is moved by.
 */
async function startDemoWithoutTime(): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const storage = await openStorage({ kind: 'memory' });
  const {
    url: publicUrl,
    server,
    close,
  } = await serveUntilClosed((_request, response) => response.destroy());
  const app = await createShopApp({
    publicUrl,
    storage,
    service: undefined,
    sandboxFile: undefined,
    allowedHosts: [],
    folders: { pages: folder('build/demo/public'), dist: folder('dist') },
  });
  server.removeAllListeners('request').on('request', app.listener);
  app.checkout.start();
  onTestFinished(async () => {
    await app.checkout.stop();
    await app.close();
    await close();
    await storage.close();
    vi.useRealTimers();
  });
  return publicUrl;
}

/** Returns the poll that the server holds for the page once it has shown this outcome. */
async function heldPollAfter(page: Page, outcome: string): Promise<Request> {
  const polls: Request[] = [];
  page.on('request', (request) => {
    if (request.headers().prefer?.startsWith('wait=')) polls.push(request);
  });
  const shown = await page.waitForResponse(
    async (response) =>
      response.status() === 200 && (await response.text()).includes(`"outcome":"${outcome}"`),
  );
  const { etag } = shown.headers();
  return vi.waitFor(() => {
    const poll = polls.find((request) => request.headers()['if-none-match'] === etag);
    if (poll === undefined) throw new Error(`No poll waits for a change of ${etag}.`);
    return poll;
  }, 15_000);
}

describe('money that arrives after the time has run out', () => {
  it('is shown by the response of the held poll, which the callback ends', async ({ newShopper }) => {
    const url = await startDemoWithoutTime();
    const shop = await openShop(await newShopper(), url, '/script-tag');
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    const held = heldPollAfter(shop.page, 'expired');
    await control(url, 'clock', { advanceSeconds: 1801 });
    await shop.untilState('expired');
    const poll = await held;
    await pay(shop, 1_250_000, url);
    await control(url, 'clock', { advanceSeconds: 2 });
    const response = await poll.response();
    // At the end of its wait, a poll without news would be answered with 304.
    expect(response?.status()).toBe(200);
    expect(await response?.text()).toContain('"outcome":"paid"');
    await shop.untilState('receivedLate');
  });
});
