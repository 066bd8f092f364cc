import { describe, expect, it } from 'vitest';
import { createCrowdedShop, pages, type Shopper } from './crowded-shop.ts';

type Shop = ReturnType<typeof createCrowdedShop>;

/** From the transfer to the page: the callback, the verification and the response. */
const atOnceMs = 100;

/** Pays, and returns the longest time until a page knows; infinite for more than ten seconds. */
async function timeToPaid(shop: Shop, shoppers: readonly Shopper[]): Promise<number> {
  const paidAt = shoppers.map((shopper) => shop.pay(shopper));
  await shop.pass(10_000);
  return Math.max(...shoppers.map((shopper, index) => (shopper.paidAt ?? Infinity) - (paidAt[index] ?? 0)));
}

/** The longest that a page waits without a held poll. */
function longestUnheldMs({ polls }: Shopper): number {
  const held = polls.filter(({ wasHeld }) => wasHeld);
  return Math.max(...held.map(({ sentAt }, index) => sentAt - (held[index - 1]?.endedAt ?? sentAt)));
}

describe('held polls', () => {
  it('that one address takes are left, one each, to shoppers of others, who learn at once that the order is paid', async () => {
    const shop = createCrowdedShop({ maxWaiters: 20 });
    await shop.open(pages(30, 'attacker'), { isHostile: true });
    const honest = await shop.open(['ada', 'obi', 'uche', 'uche', 'uche']);
    await shop.pass(2000);
    expect(await timeToPaid(shop, honest)).toBeLessThan(atOnceMs);
    expect(honest.flatMap(({ polls }) => polls).filter(({ nextPollMs }) => nextPollMs > 0)).toEqual([]);
    expect((await shop.checkout.measure()).counters.waitersTurnedAway).toBeGreaterThan(100);
  });

  it('of 200 shoppers behind one address are held while there are places for all', async () => {
    const shop = createCrowdedShop({ verificationIntervalMs: 10_000 });
    shop.checkout.start();
    const shoppers = await shop.open(pages(200, 'carrier'));
    await shop.pass(26_000);
    expect(await timeToPaid(shop, shoppers.slice(0, 20))).toBeLessThan(atOnceMs);
    expect(shoppers.flatMap(({ polls }) => polls).filter(({ wasHeld }) => !wasHeld)).toEqual([]);
    const { counters } = await shop.checkout.measure();
    expect([shop.counts.refused, counters.waitersCutShort, counters.waitersTurnedAway]).toEqual([0, 0, 0]);
  });

  it.each([
    ['one address', () => 'carrier'],
    ['an address each', (index: number) => `shopper-${index}`],
  ])('of twice as many shoppers as there are places are taken in turns, with %s', async (_what, clientOf) => {
    const shop = createCrowdedShop({ maxWaiters: 30 });
    const shoppers = await shop.open(Array.from({ length: 60 }, (_, index) => clientOf(index)));
    await shop.pass(60_000);
    for (const shopper of shoppers) {
      expect(shopper.polls.filter(({ wasHeld }) => wasHeld).length).toBeGreaterThan(2);
      expect(longestUnheldMs(shopper)).toBeLessThan(20_000);
    }
    expect(shop.counts.refused).toBe(0);
  });
});

describe('200 payments of one address', () => {
  /** What a service of 20 a second verifies in the two seconds between two verifications of a payment that is alone, and some in flight. */
  const oneInterval = 2 * 20 + 5;

  it.each([
    ['where callbacks usually arrive', {}],
    ['where the service allows few requests', { ratePerSecond: 20 }],
  ])('do not delay a payment of another, also if its callback is lost, %s', async (_where, options) => {
    const shop = createCrowdedShop(options);
    for (const shopper of await shop.open(['emeka', 'ngozi', 'tunde', 'uche'])) {
      shop.pay(shopper);
      await shop.pass(500);
    }
    const others = await shop.open(['ada', 'obi']);
    await shop.open(pages(200, 'attacker'));
    await shop.pass(6000);
    for (const [index, shopper] of others.entries()) {
      const before = shop.verified.length;
      shop.pay(shopper, { callback: index === 1 });
      await shop.pass(4000);
      const earlier = shop.verified.slice(before).indexOf(shopper.reference);
      expect([shopper.paidAt, earlier < (index === 1 ? 5 : oneInterval)]).toEqual([expect.any(Number), true]);
    }
  });
});
