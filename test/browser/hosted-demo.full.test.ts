import { describe, expect } from 'vitest';
import { acceptLess, call, it, killWorker, send } from './hosted-demo.ts';
import { digitsOf, openShop } from './shop-page.ts';

const total = 1_250_000;

/** Opens the page by script tag, which the worker makes, and its checkout. */
async function openPaying(...[context, url]: Parameters<typeof openShop>) {
  const shop = await openShop(context, url, '/script-tag.html');
  await shop.pressPay();
  await shop.field('accountNumber').waitFor();
  return { ...shop, account: digitsOf(await shop.text('accountNumber')) };
}

describe('the hosted demo', () => {
  it('survives the end of its worker at any moment', async ({ site, newShopper }) => {
    const context = await newShopper();
    const { page, field, text, untilState, account, complaints } = await openPaying(context, site.url);
    await killWorker(context, page);
    await page.reload();
    await field('accountNumber').waitFor();
    expect(digitsOf(await text('accountNumber'))).toBe(account);
    await acceptLess(page);
    await send(page, 500_000);
    await killWorker(context, page);
    await untilState('partlyPaid');
    await send(page, total - 500_000);
    // Before the sandbox has confirmed the transfer.
    await killWorker(context, page);
    await untilState('succeeded');
    expect(complaints).toEqual([]);
  });

  it('shows the same in two tabs', async ({ site, newShopper }) => {
    const context = await newShopper();
    const first = await openPaying(context, site.url);
    const second = await openPaying(context, site.url);
    expect(second.account).toBe(first.account);
    await send(first.page, total);
    await Promise.all([first.untilState('succeeded'), second.untilState('succeeded')]);
  });

  it('receives money after the time has run out', async ({ site, newShopper }) => {
    const { page, untilState } = await openPaying(await newShopper(), site.url);
    await call(page, 'clock', { advanceSeconds: 3600 });
    await untilState('expired');
  });

  it('works offline, once it was opened', async ({ site, newShopper }) => {
    const context = await newShopper();
    const { page, field, untilState } = await openPaying(context, site.url);
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.reload();
    await field('accountNumber').waitFor();
    await send(page, total);
    await untilState('succeeded');
  });

  it('makes the same pages from its server as the other host', async ({ site, newShopper }) => {
    const { page, field, untilState, complaints } = await openShop(
      await newShopper(),
      site.url,
      '/rendered.html',
    );
    await field('accountNumber').waitFor();
    await page.locator('[data-field="countdown"]').first().waitFor();
    await send(page, total);
    await untilState('succeeded');
    await page.reload();
    await page.getByRole('button', { name: 'Start a new order' }).click();
    await untilState('awaitingTransfer');
    expect(complaints).toEqual([]);
  });

  it('has the control panel and the payment page', async ({ site, newShopper }) => {
    const context = await newShopper();
    const { page } = await openShop(context, site.url, '/service/_sandbox/panel/?shop');
    await page.locator('[data-connection="live"]').waitFor();
    expect(await page.getByRole('link', { name: 'Open the shop' }).getAttribute('href')).toBe('../../../');
  });
});
