import type { BrowserContext } from 'playwright-core';
import { describe } from 'vitest';
import { it } from './browser-test.ts';
import { startCookieShop } from './cookie-shop.ts';
import { openShop, type ShopPage } from './shop-page.ts';

type CookieShop = Awaited<ReturnType<typeof startCookieShop>>;
type Leave = { readonly state: string; readonly act: (shop: CookieShop, page: ShopPage) => Promise<unknown> };

const referenceOf = async (page: ShopPage) => ({ reference: await page.text('reference') });

/** The ways in which the first shopper leaves an order, and the state in which it is shown to them again. */
const ways: Readonly<Record<string, Leave>> = {
  unpaid: { state: 'awaitingTransfer', act: async () => {} },
  claimed: { state: 'checking', act: (_shop, { page }) => page.click('[data-action="sent"]') },
  expired: { state: 'expired', act: ({ shop }) => shop.advance({ minutes: 31 }) },
  'partly paid': {
    state: 'partlyPaid',
    act: async ({ shop }, page) => shop.pay(await referenceOf(page), { amount: 400_000 }),
  },
  paid: { state: 'succeeded', act: async ({ shop }, page) => shop.pay(await referenceOf(page)) },
  reversed: {
    state: 'reversed',
    async act({ shop }, page) {
      await shop.pay(await referenceOf(page));
      await shop.reverse(await referenceOf(page));
    },
  },
};

/** A device on which Ada has opened the checkout for order A, and left it in this way. */
async function leaveOrder(context: BrowserContext, { state, act }: Leave) {
  const shop = await startCookieShop();
  await shop.signIn(context, 'ada', 'order-a');
  const page = await openShop(context, shop.url);
  await page.untilState('awaitingTransfer');
  const [reference, accountNumber] = [await page.text('reference'), await page.text('accountNumber')];
  await act(shop, page);
  await page.page.evaluate(() => dispatchEvent(new Event('pageshow')));
  await page.untilState(state);
  await page.page.close();
  return { shop, reference, accountNumber };
}

describe.concurrent.for(Object.entries(ways))('after an order was left %s', ([, way]) => {
  it('the next order on the device is shown, and nothing of the first', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const { shop, reference, accountNumber } = await leaveOrder(context, way);
    await shop.signIn(context, 'bola', 'order-b');
    const next = await openShop(context, shop.url);
    await next.untilState('awaitingTransfer');
    expect(await next.text('amount')).toContain('22,222.00');
    expect(await next.text('reference')).not.toBe(reference);
    expect(await next.text('accountNumber')).not.toBe(accountNumber);
    expect(next.requested.filter((url) => url.includes(reference))).toEqual([]);
    expect(next.complaints).toEqual([]);
  });

  it('somebody without an order sees nothing of it', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const { shop, reference, accountNumber } = await leaveOrder(context, way);
    for (const shopper of [undefined, 'bola']) {
      await shop.signIn(context, shopper);
      const next = await openShop(context, shop.url);
      await next.untilState('unavailable');
      const text = await next.page.locator('[part="card"]').innerText();
      expect(text).not.toContain(reference);
      expect(text.replace(/\s/g, '')).not.toContain(accountNumber.replace(/\s/g, ''));
      expect(next.requested.filter((url) => url.includes(reference))).toEqual([]);
      await next.page.close();
    }
  });

  it('its own shopper sees it again, after one request, with no second account', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper();
    const { shop, reference } = await leaveOrder(context, way);
    const next = await openShop(context, shop.url);
    await next.untilState(way.state);
    expect(await next.text('reference')).toBe(reference);
    expect(next.requested.filter((url) => url.includes('/checkout/'))[0]).toBe(
      `${shop.url}/checkout/sessions`,
    );
    expect(shop.shop.sandbox.control.listPayments()).toHaveLength(1);
  });
});
