import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { comeBack, control, digitsOf, openShop, pay, type ShopPage, untilFound } from './shop-page.ts';
import { smallPhone, tap, untilInSight } from './thumb.ts';

const payButton = '[data-transfer-checkout]';
const number = '[data-field="accountNumber"]';
const copy = '.accountNumber button';
const title = '.card[data-state] h2';
const state = (name: string): string => `.card[data-state="${name}"]`;
const action = (name: string): string => `[data-action="${name}"]`;

/** Opens the shop with the script tag. */
async function openScriptTag(context: BrowserContext, url = inject('demoUrl')): Promise<ShopPage> {
  const shop = await openShop(context, url, '/script-tag');
  await shop.page.locator(payButton).waitFor();
  return shop;
}

/** Opens it and taps its button, which opens the checkout in a modal. */
async function openModal(context: BrowserContext, url?: string): Promise<ShopPage> {
  const shop = await openScriptTag(context, url);
  await useModal(shop.page);
  await tap(shop.page, payButton);
  return shop;
}

const useModal = (page: Page): Promise<unknown> =>
  page.locator(payButton).evaluate((button) => button.setAttribute('data-transfer-checkout', ''));

const untilState = (page: Page, name: string): Promise<void> => page.locator(state(name)).waitFor();

/** Makes all requests of the checkout fail as long as its service does. */
async function failService(page: Page): Promise<() => Promise<void>> {
  const addresses = /\/checkout\/(?!.*\.js)/;
  await page.route(addresses, (route) => route.fulfill({ status: 503 }));
  return () => page.unroute(addresses);
}

describe('the demo by touch, on a small phone', () => {
  it('a shopper pays the exact amount', async ({ newShopper }) => {
    const shop = await openModal(await newShopper(smallPhone));
    const { page } = shop;
    await untilState(page, 'awaitingTransfer');
    await untilInSight(page, title, number, copy, '[data-field="amount"]', '[data-field="countdown"]');
    await tap(page, copy);
    await page.locator(copy, { hasText: /Copied|Press and hold/ }).waitFor();
    await tap(page, action('sent'));
    await untilState(page, 'checking');
    await untilInSight(page, title, '.leads p', '.foot', action('checkAgain'));
    await pay(shop);
    await untilState(page, 'succeeded');
    await untilInSight(page, title, '.leads p', action('back'));
    expect(shop.complaints).toEqual([]);
  });

  it('a checkout in the page stays at its top when the shopper has sent the money', async ({
    newShopper,
  }) => {
    const shop = await openScriptTag(await newShopper(smallPhone));
    const { page } = shop;
    await tap(page, payButton);
    await untilState(page, 'awaitingTransfer');
    await tap(page, action('sent'));
    await untilState(page, 'checking');
    await untilInSight(page, title, '.leads p', '.foot', action('checkAgain'));
    await tap(page, action('notSent'));
    await untilState(page, 'awaitingTransfer');
    await untilInSight(page, title, number, copy, '[data-field="amount"]');
    expect(shop.complaints).toEqual([]);
  });

  it('a shopper sends less, and then the rest', async ({ newShopper }) => {
    const shop = await openModal(await newShopper(smallPhone));
    const { page } = shop;
    await untilState(page, 'awaitingTransfer');
    await pay(shop, 500_000);
    await untilState(page, 'partlyPaid');
    await untilInSight(page, title, number, copy, '[data-field="missing"]');
    await tap(page, action('sent'));
    await untilState(page, 'checking');
    await untilInSight(page, title, '.foot', action('checkAgain'));
    await pay(shop, 750_000);
    await untilState(page, 'succeeded');
    await untilInSight(page, title, action('back'));
    expect(shop.complaints).toEqual([]);
  });

  it('a shopper sends the money too late', async ({ newShopper, startOwnDemo }) => {
    const url = await startOwnDemo();
    const shop = await openModal(await newShopper(smallPhone), url);
    const { page } = shop;
    await untilState(page, 'awaitingTransfer');
    await control(url, 'clock', { advanceSeconds: 1801 });
    await comeBack(shop);
    await untilState(page, 'expired');
    await untilInSight(page, title, '.leads p');
    await tap(page, action('sent'));
    await untilState(page, 'checking');
    await untilInSight(page, title, '.leads p', action('checkAgain'));
    await pay(shop, 1_250_000, url);
    await untilFound(shop, state('receivedLate'));
    await untilInSight(page, title, '.leads p', action('back'));
    expect(shop.complaints).toEqual([]);
  });

  it('a shopper closes the modal, and its button shows that the money has arrived', async ({
    newShopper,
  }) => {
    const shop = await openModal(await newShopper(smallPhone));
    const { page } = shop;
    await untilState(page, 'awaitingTransfer');
    const accountNumber = digitsOf(await shop.text('accountNumber'));
    await tap(page, action('close'));
    await untilInSight(page, '#leave', '.leave .main', '.leave .main + button');
    await tap(page, '.leave .main + button');
    await page.locator(payButton, { hasText: 'See your payment' }).waitFor();
    await control(inject('demoUrl'), 'transfers', { accountNumber, amount: 1_250_000 });
    await page.locator(payButton, { hasText: 'Paid' }).waitFor();
    await tap(page, payButton);
    await untilState(page, 'succeeded');
    await untilInSight(page, title, action('back'));
    await tap(page, action('close'));
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(shop.complaints).toEqual([]);
  });

  it('a shopper tries again when the service fails, and pays while it fails again', async ({
    newShopper,
  }) => {
    const shopper = await newShopper(smallPhone);
    // Long pauses between the retries: the loading screen offers to try again before the widget gives up, which it would log.
    await shopper.addInitScript(() => {
      Math.random = () => 0.9;
    });
    const shop = await openScriptTag(shopper);
    const { page } = shop;
    await useModal(page);
    let recover = await failService(page);
    await tap(page, payButton);
    await untilInSight(page, title, '.leads p', action('tryAgain'));
    await recover();
    await tap(page, action('tryAgain'));
    await untilState(page, 'awaitingTransfer');
    recover = await failService(page);
    await comeBack(shop);
    await page.locator('[data-connection="cannotCheck"]').waitFor();
    await untilInSight(page, number, copy, action('sent'));
    await pay(shop);
    await recover();
    await untilFound(shop, state('succeeded'));
    await untilInSight(page, title, action('back'));
    expect(shop.complaints).toEqual([]);
  });
});
