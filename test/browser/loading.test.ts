import type { BrowserContext } from 'playwright-core';
import { describe, inject } from 'vitest';
import { it } from './browser-test.ts';
import { openShop, pay, type ShopPage, saveData } from './shop-page.ts';

const demoUrl = inject('demoUrl');

/** Returns the requested paths of the package's files, with query and fragment. */
const filesOf = (requested: readonly string[], name: string): string[] =>
  requested.filter((url) => url.includes(`/package/checkout-${name}-`)).map((url) => new URL(url).search);

/** Fails the first requests for a file. The route stays, because removing one may lose a concurrent request. */
async function failFirst(context: BrowserContext, file: RegExp, times: number): Promise<void> {
  let failed = 0;
  await context.route(file, (route) => (failed++ < times ? route.abort() : route.continue()));
}

/** Opens the account on a page that preloads nothing. */
async function openAccount(context: BrowserContext): Promise<ShopPage> {
  await saveData(context);
  const shop = await openShop(context, demoUrl, '/script-tag');
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  return shop;
}

async function payUntilSeen(shop: ShopPage): Promise<void> {
  await pay(shop);
  await shop.untilState('succeeded');
}

/** A screen on which the QR code of an account is offered. */
const wide = { viewport: { width: 1280, height: 800 } };

describe.concurrent('a file that fails at first', () => {
  it('is retried at another URL, and there is only one widget', async ({ expect, newShopper }) => {
    const context = await newShopper(wide);
    // Set before the page, which preloads the widget, and loads it when idle.
    await failFirst(context, /checkout-widget-/, 2);
    const shop = await openShop(context, demoUrl, '/script-tag');
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    await shop.page.locator('[data-action="qr"]').click();
    await shop.page.locator('canvas.qr').waitFor();
    await payUntilSeen(shop);
    // Two failed requests and one more. The first import joins the preload, or follows it.
    expect([
      ['', '', '?attempt=1'],
      ['', '?attempt=1', '?attempt=2'],
    ]).toContainEqual(filesOf(shop.requested, 'widget'));
    expect(shop.complaints).toEqual([]);
  });
});

describe.concurrent('a lazy part that fails to load', () => {
  it('is reported, is retried on demand, and affects nothing else: the QR code', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper(wide);
    await failFirst(context, /checkout-qr-code-/, 2);
    const shop = await openAccount(context);
    await shop.page.locator('[data-action="qr"]').click();
    await shop.page.getByText('The QR code could not be loaded').first().waitFor();
    await shop.page.locator('[data-action="qr"]').click();
    await shop.page.locator('canvas.qr').waitFor();
    expect(await shop.page.getByText('The QR code could not be loaded').first().count()).toBe(0);
    await payUntilSeen(shop);
    expect(filesOf(shop.requested, 'widget')).toHaveLength(1);
    expect(shop.complaints).toEqual([]);
  });
});
