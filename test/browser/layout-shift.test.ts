import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { it } from './browser-test.ts';
import { control, openShop, pay, type ShopPage } from './shop-page.ts';

declare global {
  interface Window {
    /** What moved in the widget without the shopper: where it was, and where it went. */
    moves: string[];
    /** The places of the account's number and of the button below it, while the account can be paid into. */
    accountPlaces: string[];
  }
}

type Source = { readonly node: Node | null; readonly previousRect: DOMRect; readonly currentRect: DOMRect };
type Shift = PerformanceEntry & { readonly hadRecentInput: boolean; readonly sources: readonly Source[] };

/** Records the browser's layout shifts inside the widget, and the places of the account, from now on. */
const watchLayout = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.moves = [];
    window.accountPlaces = [];
    const placeOf = ({ x, y }: DOMRect): string => [x, y].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources } of list.getEntries() as Shift[]) {
        for (const { node, previousRect, currentRect } of sources) {
          // Nodes of a shadow root are not named; the page's own text moves with the end of the card.
          if (hadRecentInput || node) continue;
          const [from, to] = [placeOf(previousRect), placeOf(currentRect)];
          if (from !== to) window.moves.push(`${from} to ${to}`);
        }
      }
    }).observe({ type: 'layout-shift' });
    const root = [...document.querySelectorAll('*')].find(({ shadowRoot }) => shadowRoot)?.shadowRoot;
    const note = (): void => {
      const card = root?.querySelector('[data-state="awaitingTransfer"], [data-state="partlyPaid"]');
      const parts = ['[data-field="accountNumber"]', '[data-action="sent"]'].map((part) =>
        card?.querySelector(part)?.getBoundingClientRect(),
      );
      if (!card) return;
      const place = parts.map((part) => part && placeOf(part)).join(', ');
      if (window.accountPlaces.at(-1) !== place) window.accountPlaces.push(place);
    };
    note();
    if (root) new MutationObserver(note).observe(root, { childList: true, subtree: true });
  });

const accept = async ({ text }: ShopPage, amounts: 'ANY' | 'PARTIAL', url: string): Promise<unknown> =>
  control(url, `payments/${await text('reference')}`, {
    acceptedAmountPolicy: `ACCEPTED_AMOUNT_POLICY_ALLOW_${amounts}`,
  });

const flows: Record<string, (shop: ShopPage, url: string) => Promise<void>> = {
  exact: async (shop, url) => {
    await pay(shop, 1_250_000, url);
    await shop.untilState('succeeded');
  },
  'less and the rest': async (shop, url) => {
    await accept(shop, 'PARTIAL', url);
    await pay(shop, 500_000, url);
    await shop.untilState('partlyPaid');
    await pay(shop, 750_000, url);
    await shop.untilState('succeeded');
  },
  'more, twice, and reversed': async (shop, url) => {
    const reference = await shop.text('reference');
    await accept(shop, 'ANY', url);
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
    // Shorter than the pause of a page that no callback wakes.
    await shop.page.locator('[data-state="receivedLate"]').first().waitFor({ timeout: 10_000 });
  },
};

describe.concurrent('a widget that is left alone', () => {
  it.for(Object.entries(flows))(
    'moves nothing while the money is %s',
    async ([, flow], { expect, newShopper, startOwnDemo }) => {
      const url = await startOwnDemo();
      const shop = await openShop(await newShopper(), url, '/script-tag');
      await shop.pressPay();
      await shop.untilState('awaitingTransfer');
      await watchLayout(shop.page);
      await flow(shop, url);
      const { moves, places } = await shop.page.evaluate(() => ({
        moves: window.moves,
        places: window.accountPlaces,
      }));
      expect({ moves, places: places.length }).toEqual({ moves: [], places: 1 });
    },
  );
});
