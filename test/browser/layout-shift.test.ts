import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { it } from './browser-test.ts';
import { control, openShop, pay, type ShopPage } from './shop-page.ts';

declare global {
  interface Window {
    /** How far the layout has shifted without the shopper. */
    shifted: number;
    /** The places that the account's number had while it could be paid into. */
    numberPlaces: string[];
  }
}

/** Records the shifts of the layout, and the places of the account's number, from now on. */
const watchLayout = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.shifted = 0;
    window.numberPlaces = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: 'layout-shift' });
    const root = [...document.querySelectorAll('*')].find(({ shadowRoot }) => shadowRoot)?.shadowRoot;
    const note = (): void => {
      const number = root?.querySelector('dl:not(.past, .receipt) [data-field="accountNumber"]');
      const sent = root?.querySelector('[data-action="sent"]');
      if (!number || !sent || root?.querySelector('.actions .main')) return;
      const place = [number, sent].map((one) => one.getBoundingClientRect().y + scrollY).join(' ');
      if (window.numberPlaces.at(-1) !== place) window.numberPlaces.push(place);
    };
    note();
    if (root) new MutationObserver(note).observe(root, { childList: true, subtree: true });
  });

type Flow = (shop: ShopPage, url: string) => Promise<void>;

const acceptParts = async ({ text }: ShopPage, url: string): Promise<unknown> =>
  control(url, `payments/${await text('reference')}`, {
    acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
  });

const flows: Record<string, Flow> = {
  exact: async (shop, url) => {
    await pay(shop, 1_250_000, url);
    await shop.untilState('succeeded');
  },
  'less and the rest': async (shop, url) => {
    await acceptParts(shop, url);
    await pay(shop, 500_000, url);
    await shop.untilState('partlyPaid');
    await pay(shop, 750_000, url);
    await shop.untilState('succeeded');
  },
  'more, twice, and reversed': async (shop, url) => {
    await control(url, `payments/${await shop.text('reference')}`, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
    });
    const reference = await shop.text('reference');
    await pay(shop, 1_300_000, url);
    await shop.untilState('succeeded');
    await pay(shop, 1_250_000, url);
    await control(url, `payments/${reference}`, { status: 'reversed' });
    await shop.untilState('reversed');
  },
  late: async (shop, url) => {
    await control(url, 'clock', { advanceSeconds: 1801 });
    await shop.untilState('expired');
    await pay(shop, 1_250_000, url);
    const startMs = Date.now();
    await shop.untilState('receivedLate');
    // The page is told by the callback, and does not wait for its next poll.
    if (Date.now() - startMs > 5000) throw new Error('Late money was not shown at once.');
  },
};

describe.concurrent('nothing in the widget moves by itself', () => {
  it.for(Object.entries(flows))(
    'while the money is %s',
    async ([, flow], { expect, newShopper, startOwnDemo }) => {
      const url = await startOwnDemo();
      const shop = await openShop(await newShopper(), url, '/script-tag');
      await shop.pressPay();
      await shop.untilState('awaitingTransfer');
      await watchLayout(shop.page);
      await flow(shop, url);
      expect(await shop.page.evaluate(() => [window.shifted, window.numberPlaces.length])).toEqual([0, 1]);
    },
  );
});
