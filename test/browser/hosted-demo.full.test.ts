import { describe, expect, onTestFinished } from 'vitest';
import { it, killWorker, openPaying, press, send, serveHostedDemo } from './hosted-demo.ts';
import { digitsOf, openShop } from './shop-page.ts';

const total = 1_250_000;

describe('the hosted demo, in a folder of a static file server', () => {
  it('continues after its worker ends at any moment', async ({ site, newShopper }) => {
    const context = await newShopper();
    const { page, field, text, untilState, account, complaints } = await openPaying(context, site.url);
    await killWorker(context, page);
    await page.reload();
    await field('accountNumber').waitFor();
    expect(digitsOf(await text('accountNumber'))).toBe(account);
    await send(page, 500_000);
    await killWorker(context, page);
    await untilState('partlyPaid');
    await send(page, total - 500_000);
    // Before the bank has confirmed the transfer.
    await killWorker(context, page);
    await untilState('succeeded');
    await page.reload();
    await untilState('succeeded');
    expect(complaints).toEqual([]);
  });

  it('works offline, once it was opened', async ({ site, newShopper }) => {
    const context = await newShopper();
    const { page, untilState } = await openPaying(context, site.url);
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await press(page, 'send-exactly');
    await untilState('succeeded');
    await page.reload();
    await untilState('succeeded');
  });

  it('says when the browser has no space left, and works again when it has', async ({ site, newShopper }) => {
    const context = await newShopper();
    const { page } = await openShop(context, `${site.url}/`, '');
    await page.locator('#order-id', { hasText: 'order-' }).waitFor();
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
      Object.assign(globalThis, { repair: () => Object.assign(IDBObjectStore.prototype, { put }) });
    });
    await page.reload();
    await page.getByText('The browser has no space left').waitFor();
    await worker?.evaluate(() => (globalThis as unknown as { repair: () => void }).repair());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    await page.locator('[data-state="awaitingTransfer"]').first().waitFor();
  });

  it('continues with a new version of its worker, which replaces the old one', async ({ newShopper }) => {
    const site = await serveHostedDemo();
    onTestFinished(site.close);
    const context = await newShopper();
    const { page, untilState, complaints } = await openPaying(context, site.url);
    site.publishWorker();
    await page.evaluate(async () => {
      const replaced = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
      await (await navigator.serviceWorker.getRegistration())?.update();
      await replaced;
    });
    await press(page, 'send-exactly');
    await untilState('succeeded');
    expect(complaints).toEqual([]);
  });
});
