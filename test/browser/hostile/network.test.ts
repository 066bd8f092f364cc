import type { BrowserContext } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from '../browser-test.ts';
import { scriptTag } from '../shop-page.ts';
import { faults } from './faults.ts';
import { type Fault, type Matches, startFaultyNetwork } from './faulty-network.ts';
import { type FlowTools, heldPoll, type Step, steps } from './flows.ts';
import { element } from './hostilities.ts';
import { startPageShop } from './page-shop.ts';
import { openAsShopper } from './shopper.ts';

type NetworkCase = { readonly step: Step; readonly fault: string };

/** Every fault at every step. */
const allCases: readonly NetworkCase[] = steps.flatMap((step) =>
  Object.keys(faults).map((fault) => ({ step, fault })),
);

/** A slice of the cases, at every step. All of them take many minutes: `ALL_FAULTS=1 npx vitest run network`. */
const cases = process.env.ALL_FAULTS ? allCases : allCases.filter((_, index) => index % 19 === 0);

/** A shop with one order behind a faulty network. */
async function startRemoteShop(onTestFinished: (close: () => Promise<void>) => void) {
  const pageShop = await startPageShop();
  const network = await startFaultyNetwork(pageShop.url);
  onTestFinished(async () => {
    await network.close();
    await pageShop.close();
  });
  const markup = element.replace('OPTIONS', `base-url="/checkout" body='{"orderId":"1"}'`);
  pageShop.addPage(
    '/pay',
    `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">${scriptTag}<body>${markup}`,
  );
  return { shop: pageShop.shop, network, address: `${network.url}/pay` };
}

/** Runs a flow in which one request fails: the shopper ends with the truth on the screen, and with one account at a time. */
async function runCase(
  context: BrowserContext,
  { step, fault }: NetworkCase,
  onTestFinished: (close: () => Promise<void>) => void,
): Promise<void> {
  const { shop, network, address } = await startRemoteShop(onTestFinished);
  const { accounts = 1, atStart, beforePaying, afterPaying } = step;
  const fail = (matches: Matches): void => network.failNext(matches, faults[fault] as Fault);
  if (atStart) fail(atStart);
  const shopper = await openAsShopper(context, shop, network, address);
  const tools: FlowTools = { ...shopper, shop, fail, network };
  await beforePaying(tools);
  await shopper.pay();
  await shopper.reach('succeeded');
  await afterPaying?.(tools);
  expect(network.hasFailed(), 'the fault has happened').toBe(true);
  await shopper.stay('succeeded');
  const payments = shop.sandbox.control.listPayments();
  expect(payments).toHaveLength(accounts);
  expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  expect(shopper.errors).toEqual([]);
}

describe.concurrent('a shopper on a bad network', () => {
  it.for(cases)(
    'gets to "received", with one account, where $step.name $fault',
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
