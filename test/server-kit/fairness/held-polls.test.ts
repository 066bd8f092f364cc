import { describe, expect, it } from 'vitest';
import { createCrowdedShop, pages, type Shopper } from './crowded-shop.ts';

type Shop = ReturnType<typeof createCrowdedShop>;

/** From the transfer to the page: the callback, the verification and the response. */
const atOnceMs = 100;

/** Pays, and returns how long after that each page knows; infinite for not in ten seconds. */
async function timesToPaid(shop: Shop, shoppers: readonly Shopper[]): Promise<number[]> {
  const paid = shoppers.map((shopper) => shop.pay(shopper));
  await shop.pass(10_000);
  return shoppers.map(({ paidAt = Infinity }, index) => paidAt - (paid[index] ?? 0));
}

/** The longest that a page waits without a held poll. */
function longestUnheldMs({ polls }: Shopper): number {
  const held = polls.filter(({ wasHeld }) => wasHeld);
  return Math.max(...held.map(({ sentAt }, index) => sentAt - (held[index - 1]?.endedAt ?? sentAt)));
}

const countersOf = async ({ checkout }: Shop) => (await checkout.measure()).counters;

describe('an address that takes all held polls', () => {
  it('leaves one to each shopper of another address, who learns at once that the order is paid', async () => {
    const shop = createCrowdedShop({ maxWaiters: 20 });
    await shop.open(pages(30, 'attacker'), { isHostile: true });
    const honest = await shop.open(['ada', 'obi', 'uche', 'uche', 'uche']);
    await shop.pass(2000);
    expect(Math.max(...(await timesToPaid(shop, honest)))).toBeLessThan(atOnceMs);
    for (const { polls } of honest) expect(polls.filter(({ nextPollMs }) => nextPollMs > 0)).toEqual([]);
    expect((await countersOf(shop)).waitersTurnedAway).toBeGreaterThan(100);
  });
});

describe('600 shoppers behind one address', () => {
  it('notice nothing while there are places for all', async () => {
    const shop = createCrowdedShop({ verificationIntervalMs: 10_000 });
    shop.checkout.start();
    const shoppers = await shop.open(pages(600, 'carrier'));
    await shop.pass(26_000);
    expect(Math.max(...(await timesToPaid(shop, shoppers.slice(0, 20))))).toBeLessThan(atOnceMs);
    expect(shoppers.filter(({ polls }) => polls.some(({ wasHeld }) => !wasHeld))).toEqual([]);
    expect(shop.countRefused()).toBe(0);
    expect(await countersOf(shop)).toMatchObject({ waitersCutShort: 0, waitersTurnedAway: 0 });
  });
});

describe('twice as many shoppers as there are places', () => {
  it.each([
    ['one address', (_index: number) => 'carrier'],
    ['an address each', (index: number) => `shopper-${index}`],
  ])('with %s all take turns', async (_what, clientOf) => {
    const shop = createCrowdedShop({ maxWaiters: 30 });
    const shoppers = await shop.open(Array.from({ length: 60 }, (_, index) => clientOf(index)));
    await shop.pass(60_000);
    for (const shopper of shoppers) {
      expect(shopper.polls.filter(({ wasHeld }) => wasHeld).length).toBeGreaterThan(2);
      expect(longestUnheldMs(shopper)).toBeLessThan(20_000);
    }
    expect(shop.countRefused()).toBe(0);
  });
});
