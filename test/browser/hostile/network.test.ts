import { describe, expect } from 'vitest';
import { it } from '../browser-test.ts';
import { heldPoll } from './flows.ts';
import { allCases, runCase, startRemoteShop } from './network-cases.ts';
import { openAsShopper } from './shopper.ts';

/** A slice of the cases, at every step. */
const slice = allCases.filter((_, index) => index % 19 === 0);

describe.concurrent('a shopper on a bad network', () => {
  it.for(slice)(
    'gets to "received", with one account, where $step $fault',
    async (given, { newShopper, onTestFinished }) => runCase(await newShopper(), given, onTestFinished),
  );
});

it('a shopper whose network changes during a held request gets to "received" by a new one', async ({
  newShopper,
  onTestFinished,
}) => {
  const { shop, network, address } = await startRemoteShop(onTestFinished);
  const { page, reach, pay, errors } = await openAsShopper(await newShopper(), shop, network, address);
  // The connection is lost without a sign: no response ever arrives.
  network.failNext(heldPoll, () => new Promise(() => {}));
  await reach('awaitingTransfer');
  await expect.poll(network.hasFailed).toBe(true);
  await pay();
  const dropped = page.waitForEvent('requestfailed');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  expect((await dropped).headers()).toHaveProperty('prefer');
  await reach('succeeded');
  expect(errors).toEqual([]);
});
