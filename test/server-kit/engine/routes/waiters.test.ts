import { expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/engine/options.ts';
import { pass } from '../../kit/test-clock.ts';
import { openedShop } from './opened-shop.ts';

const clientKey: CheckoutOptions['clientKey'] = ({ header }) => header('x-client');

/** A shop whose page waits for its view to change. */
async function createHoldingShop(maxHeld = 5000) {
  const testing = { random: () => 0.5, maxHeld };
  const shop = await openedShop({ limits: false, clientKey, testing });
  const holdFor = (client: string) =>
    shop.get(shop.session, { 'if-none-match': shop.etag, prefer: 'wait=25', 'x-client': client });
  return { ...shop, holdFor, held: async () => (await shop.checkout.measure()).heldRequests };
}

const nextPollOf = (response: Response): string | null => response.headers.get('checkout-next-poll-ms');

it('held requests on one instance are no more than maxHeld; the next gets a response at once, and a later poll time', async () => {
  const { hold, held, clock } = await createHoldingShop(1);
  const first = hold();
  await clock.untilWaiting(2000);
  const refused = await hold();
  expect([refused.status, refused.headers.get('preference-applied')]).toEqual([304, null]);
  expect(nextPollOf(refused)).toBe('7500');
  expect(await held()).toBe(1);
  clock.advance(25_000);
  expect(nextPollOf(await first)).toBe('0');
  expect(await held()).toBe(0);
  expect(clock.pending()).toBe(0);
});

it('a flood of one client of 5,000 polls holds a tenth of the places, and an honest shopper hears of money at once', async () => {
  const { holdFor, held, clock, pay, checkout } = await createHoldingShop(500);
  const flood = Array.from({ length: 5000 }, () => holdFor('attacker'));
  const refused = await Promise.all(flood.slice(50));
  expect(new Set(refused.map(nextPollOf))).toEqual(new Set(['7500']));
  const honest = holdFor('ada');
  await clock.untilWaiting(25_000, 51);
  expect(await held()).toBe(51);
  pay();
  const paidAt = clock.now();
  await pass(clock, 2500);
  expect(await (await honest).json()).toMatchObject({ outcome: 'paid' });
  expect(clock.now() - paidAt).toBeLessThan(5000);
  await Promise.all(flood);
  await checkout.settled();
}, 60_000);
