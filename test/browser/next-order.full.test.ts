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
async function leaveOrder(context: BrowserContext, shop: CookieShop, { state, act }: Leave) {
  await shop.signIn(context, 'ada', 'order-a');
  const page = await openShop(context, shop.url);
  await page.untilState('awaitingTransfer');
  const [reference, accountNumber] = [await page.text('reference'), await page.text('accountNumber')];
  await act(shop, page);
  await page.page.evaluate(() => dispatchEvent(new Event('pageshow')));
  await page.untilState(state);
  await page.page.close();
  return { reference, accountNumber };
}

describe.concurrent('several shoppers on one device', () => {
  it.for(Object.keys(ways))(
    'an order that was left %s is shown to its own shopper only',
    async (name, { expect, newShopper, onTestFinished }) => {
      const way = ways[name] as Leave;
      const context = await newShopper();
      const shop = await startCookieShop(onTestFinished);
      const { reference, accountNumber } = await leaveOrder(context, shop, way);
      const open = async (state: string, shopper?: string, cart?: string): Promise<ShopPage> => {
        await shop.signIn(context, shopper, cart);
        const page = await openShop(context, shop.url);
        await page.untilState(state);
        return page;
      };

      const own = await open(way.state, 'ada', 'order-a');
      expect(await own.text('reference')).toBe(reference);
      const [first] = own.requested.filter((url) => url.includes('/checkout/'));
      expect(first).toBe(`${shop.url}/checkout/sessions`);
      expect(shop.shop.sandbox.control.listPayments()).toHaveLength(1);

      for (const shopper of [undefined, 'bola']) {
        const other = await open('unavailable', shopper);
        const text = (await other.page.locator('[part~="card"]').innerText()).replace(/\s/g, '');
        expect(text).not.toContain(reference);
        expect(text).not.toContain(accountNumber.replace(/\s/g, ''));
        expect(other.requested.filter((url) => url.includes(reference))).toEqual([]);
      }

      const next = await open('awaitingTransfer', 'bola', 'order-b');
      expect(await next.text('amount')).toContain('22,222.00');
      expect(await next.text('reference')).not.toBe(reference);
      expect(await next.text('accountNumber')).not.toBe(accountNumber);
      expect(next.requested.filter((url) => url.includes(reference))).toEqual([]);
      expect([...own.complaints, ...next.complaints]).toEqual([]);
    },
  );
});
