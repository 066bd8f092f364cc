import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { control, digitsOf, openShop } from './shop-page.ts';

const payPage = /\/service\/_sandbox\/pay\/chk_\w+$/;

/** Goes from the shop to the payment page, and waits for its account. */
async function goToPay(shop: Awaited<ReturnType<typeof openShop>>): Promise<string> {
  await shop.page.getByRole('button', { name: 'On a payment page' }).click();
  await shop.page.waitForURL(payPage);
  await shop.field('accountNumber').waitFor();
  return digitsOf(await shop.text('accountNumber'));
}

const pay = (accountNumber: string) =>
  control(inject('demoUrl'), 'transfers', { accountNumber, amount: 1_250_000 });

describe('the hosted payment page', () => {
  it('is reached from the shop, and links back to the shop’s status', async ({ newShopper }) => {
    const shop = await openShop(await newShopper(), inject('demoUrl'));
    const { page, untilState, text, complaints, requested } = shop;
    const accountNumber = await goToPay(shop);
    await pay(accountNumber);
    await untilState('succeeded');
    await page.waitForURL(/\/\?returned$/);
    await untilState('succeeded');
    expect(await text('received')).toBe('₦12,500.00');
    await page.getByText('We are packing your books.').first().waitFor();
    expect(complaints).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(inject('demoUrl')))).toEqual([]);
    expect(requested.filter((url) => /cs_test_/.test(url))).toEqual([]);
  });

  it('returns before the money arrives: the shop waits, links to the page, and sees it arrive', async ({
    newShopper,
  }) => {
    const context = await newShopper();
    const shop = await openShop(context, inject('demoUrl'));
    const accountNumber = await goToPay(shop);
    const address = shop.page.url();
    const { page, untilState } = await openShop(context, inject('demoUrl'), '/?returned');
    await untilState('checking');
    expect(await page.locator('[data-action="toPayment"]').getAttribute('href')).toBe(address);
    await pay(accountNumber);
    await untilState('succeeded');
  });
});
