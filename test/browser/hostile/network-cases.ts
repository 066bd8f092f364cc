import type { BrowserContext } from 'playwright-core';
import { expect } from 'vitest';
import { faults } from './faults.ts';
import { type Fault, type Matches, startFaultyNetwork } from './faulty-network.ts';
import { type Step, steps } from './flows.ts';
import { element, tag } from './hostility.ts';
import { type PageShop, startPageShop } from './page-shop.ts';
import { openAsShopper } from './shopper.ts';

export type NetworkCase = { readonly step: string; readonly fault: string };

/** Every fault at every step. */
export const allCases: readonly NetworkCase[] = steps.flatMap(({ name }) =>
  Object.keys(faults).map((fault) => ({ step: name, fault })),
);

/** A shop with one order behind a faulty network. */
export async function startRemoteShop(onTestFinished: (close: () => Promise<void>) => void) {
  const pageShop: PageShop = await startPageShop();
  const network = await startFaultyNetwork(pageShop.url);
  onTestFinished(async () => {
    await network.close();
    await pageShop.close();
  });
  const markup = element.replace('OPTIONS', `base-url="/checkout" body='{"orderId":"1"}'`);
  pageShop.addPage(
    '/pay',
    `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">${tag}<body>${markup}`,
  );
  return { shop: pageShop.shop, network, address: `${network.url}/pay` };
}

/** Runs a flow in which one request fails: the shopper ends with the truth on the screen, and with one account at a time. */
export async function runCase(
  context: BrowserContext,
  { step, fault }: NetworkCase,
  onTestFinished: (close: () => Promise<void>) => void,
): Promise<void> {
  const { shop, network, address } = await startRemoteShop(onTestFinished);
  const { accounts, atStart, run } = steps.find(({ name }) => name === step) as Step;
  const fail = (matches: Matches): void => network.failNext(matches, faults[fault] as Fault);
  if (atStart) fail(atStart);
  const shopper = await openAsShopper(context, shop, network, address);
  await run({ ...shopper, shop, fail, network });
  expect(network.hasFailed(), 'the fault has happened').toBe(true);
  await shopper.stay('succeeded');
  const payments = shop.sandbox.control.listPayments();
  expect(payments).toHaveLength(accounts);
  expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  expect(shopper.errors).toEqual([]);
}
