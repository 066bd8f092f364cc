import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { describe, inject } from 'vitest';
import type { PaymentView } from '../../src/contract/index.ts';
import { it } from './browser-test.ts';
import { comeBack, control, digitsOf, openShop, pay, type ShopPage, untilFound } from './shop-page.ts';

const folder = fileURLToPath(new URL('../fixtures/released/', import.meta.url));
const releasedFiles = readdirSync(folder).filter((file) => /^checkout.*\.js$/.test(file));

/** Serves the released version's script tag and the files that it needs; its preloads get nothing. */
async function useReleasedWidget(context: BrowserContext): Promise<void> {
  await context.route(/\/package\/checkout[^/]*\.js/, (route) => {
    const file = new URL(route.request().url()).pathname.replace('/package/', '');
    return releasedFiles.includes(file) ? route.fulfill({ path: folder + file }) : route.abort();
  });
}

async function openPaying(context: BrowserContext, url: string): Promise<ShopPage> {
  const shop = await openShop(context, url, '/script-tag');
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  return shop;
}

/** Waits until an order's account has expired, and requests a new one. Returns the old number. */
async function replaceAccount(shop: ShopPage, url: string): Promise<string> {
  const accountNumber = digitsOf(await shop.text('accountNumber'));
  await control(url, 'clock', { advanceSeconds: 1801 });
  await shop.untilState('expired');
  await shop.page.click('[data-action="newAccount"]');
  await shop.untilState('awaitingTransfer');
  return accountNumber;
}

/** Responds to checks of a payment as if another one had paid the order. */
const answerForOrder = (context: BrowserContext, changes: Partial<PaymentView>): Promise<unknown> =>
  context.route('**/checkout/sessions/*', async (route) => {
    const { prefer: _, 'if-none-match': __, ...headers } = route.request().headers();
    const response = await route.fetch({ headers });
    return route.fulfill({ response, json: { ...(await response.json()), ...changes } });
  });

const paidElsewhere: Partial<PaymentView> = {
  paymentReference: 'order-1001-1',
  chargedAmount: 1_250_000,
  orderChargedAmount: 2_500_000,
  status: 'succeeded',
  outcome: 'paid',
  receivedLate: true,
  paidAt: '2026-11-21T14:03:40Z',
};

describe.concurrent('the released widget with the current server', () => {
  it('pays an order', async ({ expect, newShopper }) => {
    const context = await newShopper();
    await useReleasedWidget(context);
    const shop = await openPaying(context, inject('demoUrl'));
    await pay(shop);
    await shop.untilState('succeeded');
    expect(shop.requested.filter((url) => url.endsWith('/checkout-widget-Cbm5gyyA.js'))).toHaveLength(1);
  });

  it('accepts a view of the order’s other payment, and stops asking for money', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper();
    await useReleasedWidget(context);
    const shop = await openPaying(context, inject('demoUrl'));
    await answerForOrder(context, paidElsewhere);
    await comeBack(shop);
    await shop.untilState('receivedLate');
    expect(shop.complaints).toEqual([]);
  });

  it('stops asking for money once the previous account is paid', async ({
    expect,
    newShopper,
    startOwnDemo,
  }) => {
    const url = await startOwnDemo();
    const context = await newShopper();
    await useReleasedWidget(context);
    const shop = await openPaying(context, url);
    const accountNumber = await replaceAccount(shop, url);
    await control(url, 'transfers', { accountNumber, amount: 1_250_000 });
    await untilFound(shop, '[data-state="receivedLate"]');
    expect(digitsOf(await shop.text('accountNumber'))).toBe(accountNumber);
    expect(shop.complaints).toEqual([]);
  });
});

describe.concurrent('the current widget', () => {
  it('shows the other payment, and the total received', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const shop = await openPaying(context, inject('demoUrl'));
    await answerForOrder(context, paidElsewhere);
    await comeBack(shop);
    await shop.untilState('receivedLate');
    expect(await shop.text('reference')).toBe('order-1001-1');
    expect([await shop.text('received'), await shop.text('receivedInAll')]).toEqual([
      '₦12,500.00',
      '₦25,000.00',
    ]);
    expect(shop.complaints).toEqual([]);
  });

  it('shows the previous account as paid, and then that money arrived twice', async ({
    expect,
    newShopper,
    startOwnDemo,
  }) => {
    const url = await startOwnDemo();
    const shop = await openPaying(await newShopper(), url);
    const accountNumber = await replaceAccount(shop, url);
    const secondNumber = digitsOf(await shop.text('accountNumber'));
    await control(url, 'transfers', { accountNumber, amount: 1_250_000 });
    await untilFound(shop, '[data-state="receivedLate"]');
    await control(url, 'transfers', { accountNumber: secondNumber, amount: 1_250_000 });
    await untilFound(shop, '[data-field="receivedInAll"]');
    expect(await shop.text('receivedInAll')).toBe('₦25,000.00');
    expect(digitsOf(await shop.text('accountNumber'))).toBe(accountNumber);
    expect(shop.complaints).toEqual([]);
  });
});
