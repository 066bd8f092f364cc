import { inject } from 'vitest';
import { it } from './browser-test.ts';
import { digitsOf, openShop } from './shop-page.ts';

const demoUrl = inject('demoUrl');

it('a shopper pays by bank transfer and sees it succeed', async ({ expect, newShopper }) => {
  const context = await newShopper();
  const shop = await openShop(context, demoUrl);
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  expect(digitsOf(await shop.text('accountNumber'))).toMatch(/^\d{10}$/);
  expect(await shop.text('amount')).toBe('₦12,500.00');
  expect(await shop.text('bankName')).toBe('Sandbox Bank');
  expect(await shop.text('countdown')).toMatch(/^(30:00|29:\d\d)$/);
  await shop.page.getByText('Test mode').waitFor();

  const panel = await context.newPage();
  await panel.goto(`${demoUrl}/panel`);
  const reference = await shop.text('reference');
  await panel.locator(`[data-id="${reference}"] [data-action="send-exact"]`).click();

  await shop.untilState('succeeded');
  await shop.page
    .getByText(/ received$/)
    .first()
    .waitFor();
  await panel.locator(`[data-id="${reference}"] [data-field="status"]`, { hasText: /succeeded/i }).waitFor();
  expect(shop.complaints).toEqual([]);
});
