import { describe, expect, it } from 'vitest';
import { createCrowdedShop, pages, type Shopper } from './crowded-shop.ts';

type Shop = ReturnType<typeof createCrowdedShop>;

const ratePerSecond = 20;

/** What the service verifies in the two seconds between two verifications of a payment that is alone, and some in flight. */
const oneInterval = 2 * ratePerSecond + 5;

/** Lets the callbacks of three payments arrive: payments that shoppers wait for are then verified less often. */
async function showThatCallbacksArrive(shop: Shop): Promise<void> {
  for (const shopper of await shop.open(['emeka', 'ngozi', 'tunde'])) {
    shop.pay(shopper);
    await shop.pass(500);
  }
}

/** Pays, and returns how many verifications of other payments the service sees before this one. */
async function countBefore(shop: Shop, shopper: Shopper, options: { callback: boolean }): Promise<number> {
  const before = shop.verified.length;
  shop.pay(shopper, options);
  await shop.pass(4000);
  expect(shopper.paidAt).toBeDefined();
  return shop.verified.slice(before).indexOf(shopper.reference);
}

describe('600 payments of one address', () => {
  it('do not delay a payment of another whose callback is lost, where callbacks usually arrive', async () => {
    const shop = createCrowdedShop();
    await showThatCallbacksArrive(shop);
    await shop.open(pages(600, 'attacker'));
    const [ada] = (await shop.open(['ada'])) as [Shopper];
    await shop.pass(6000);
    expect(await countBefore(shop, ada, { callback: false })).toBeLessThan(oneInterval);
  });

  it('do not delay it either where the service allows few requests, and a callback still goes first', async () => {
    const shop = createCrowdedShop({ ratePerSecond });
    await shop.open(pages(600, 'attacker'));
    const [ada, obi] = (await shop.open(['ada', 'obi'])) as [Shopper, Shopper];
    await shop.pass(6000);
    expect(await countBefore(shop, ada, { callback: false })).toBeLessThan(oneInterval);
    expect(await countBefore(shop, obi, { callback: true })).toBeLessThan(5);
  });
});

describe('a shopper who waits for a verification longer than half a minute', () => {
  it('keeps the place in the queue', async () => {
    const shop = createCrowdedShop({ maxVerificationsPerSecond: 1 });
    await shop.open(pages(45, 'carrier'));
    await shop.pass(48_000);
    expect(new Set(shop.verified.slice(0, 45)).size).toBe(45);
  });
});
