import type { BrowserContext } from 'playwright-core';
import { describe, inject } from 'vitest';
import { it } from './browser-test.ts';
import { control, digitsOf, openShop } from './shop-page.ts';

const demoUrl = inject('demoUrl');

/** The paths of the package's files that were asked for, with what makes one address another. */
const filesOf = (requested: readonly string[], name: string): string[] =>
  requested.filter((url) => url.includes(`/package/checkout-${name}-`)).map((url) => new URL(url).search);

/** Has the first requests for a file fail. The route stays: a request that comes just when one is taken away may be lost. */
async function failFirst(context: BrowserContext, file: RegExp, times: number): Promise<void> {
  let failed = 0;
  await context.route(file, (route) => (failed++ < times ? route.abort() : route.continue()));
}

describe.concurrent('a file that does not come at first', () => {
  it('is asked for again at another address, and there is one widget only', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper();
    // Before there is a page: it loads the widget when it is idle.
    await failFirst(context, /checkout-widget-/, 1);
    const shop = await openShop(context, demoUrl, '/script-tag');
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    const accountNumber = digitsOf(await shop.text('accountNumber'));
    await control(demoUrl, 'transfers', { accountNumber, amount: 1_250_000 });
    await shop.untilState('succeeded');
    expect(filesOf(shop.requested, 'widget')).toEqual(['', '?attempt=1']);
    expect(filesOf(shop.requested, 'watch')).toEqual(['?attempt=1']);
    expect(shop.complaints).toEqual([]);
  });

  it.for(['watch', 'more'])(
    '%s is asked for again, and the payment is seen',
    async (name, { expect, newShopper }) => {
      const context = await newShopper();
      const shop = await openShop(context, demoUrl, '/script-tag');
      await failFirst(context, new RegExp(`checkout-${name}-`), 1);
      await shop.pressPay();
      await shop.untilState('awaitingTransfer');
      const accountNumber = digitsOf(await shop.text('accountNumber'));
      await control(demoUrl, 'transfers', { accountNumber, amount: 1_250_000 });
      await shop.untilState('succeeded');
      // The icon is in the file that comes later.
      await shop.page.locator('[data-state="succeeded"] svg').first().waitFor();
      expect(filesOf(shop.requested, name)).toHaveLength(2);
      expect(shop.complaints).toEqual([]);
    },
  );

  it('for long is asked for again and again', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const shop = await openShop(context, demoUrl, '/script-tag');
    await failFirst(context, /checkout-watch-/, 5);
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    await expect.poll(() => filesOf(shop.requested, 'watch').length).toBe(6);
    await expect.poll(() => shop.requested.some((url) => url.includes('/checkout/sessions/'))).toBe(true);
  });
});
