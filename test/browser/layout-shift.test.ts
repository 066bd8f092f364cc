import type { Page } from 'playwright-core';
import { describe, inject } from 'vitest';
import { it } from './browser-test.ts';
import { control, openShop, pay, type ShopPage } from './shop-page.ts';

declare global {
  interface Window {
    /** What moved in the widget without the shopper: where it was, and where it went. */
    moves: string[];
    /** The places in the card of the account's number and of what is below it, while the account can be paid into. */
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
      if (!card) return;
      const { x, y } = card.getBoundingClientRect();
      const places = ['[data-field="accountNumber"]', '.time', '[data-action="sent"]', '.links'].map(
        (part) => {
          const box = card.querySelector(part)?.getBoundingClientRect();
          return box && placeOf(new DOMRect(box.x - x, box.y - y));
        },
      );
      const place = places.join(', ');
      if (window.accountPlaces.at(-1) !== place) window.accountPlaces.push(place);
    };
    note();
    if (root) new MutationObserver(note).observe(root, { childList: true, subtree: true });
  });

const readLayout = (page: Page) =>
  page.evaluate(() => ({ moves: window.moves, places: window.accountPlaces.length }));

/** Waits for half a second of frames. */
const untilPainted = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
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
    async ([money, flow], { expect, newShopper, startOwnDemo }) => {
      // It moves the clock.
      const url = money === 'late' ? await startOwnDemo() : inject('demoUrl');
      const shop = await openShop(await newShopper(), url, '/script-tag');
      await shop.pressPay();
      await shop.untilState('awaitingTransfer');
      await watchLayout(shop.page);
      await flow(shop, url);
      expect(await readLayout(shop.page)).toEqual({ moves: [], places: 1 });
    },
  );
});

it('a tap on any button that leaves the shopper on the screen moves nothing', async ({
  expect,
  newShopper,
}) => {
  const url = inject('demoUrl');
  const shop = await openShop(await newShopper(), url, '/script-tag');
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  await accept(shop, 'PARTIAL', url);
  for (const state of ['awaitingTransfer', 'partlyPaid']) {
    await shop.untilState(state);
    await watchLayout(shop.page);
    const copies = shop.page.locator('[part="copy"], [data-action="copyAll"]');
    for (const copy of await copies.all()) {
      await copy.click();
      await untilPainted(shop.page);
    }
    expect(await copies.count()).toBeGreaterThan(2);
    // Not the moves: a sentence in the lead takes another's place.
    expect((await readLayout(shop.page)).places).toBe(1);
    if (state === 'awaitingTransfer') await pay(shop, 500_000, url);
  }
});
