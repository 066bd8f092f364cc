import { describe, inject } from 'vitest';
import { it } from './browser-test.ts';
import { digitsOf, openShop, pay } from './shop-page.ts';

const demoUrl = inject('demoUrl');

// Tests mostly wait for the widget's next check, so they run concurrently.
describe.concurrent('a shopper', () => {
  it('pays by bank transfer and sees it succeed', async ({ expect, newShopper }) => {
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
    await panel
      .locator(`[data-id="${reference}"] [data-field="status"]`, { hasText: /succeeded/i })
      .waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('sees the same account and countdown after a reload, without a press', async ({
    expect,
    newShopper,
  }) => {
    const shop = await openShop(await newShopper(), demoUrl);
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    const before = [await shop.text('accountNumber'), await shop.text('reference')];
    await expect.poll(() => shop.text('countdown')).toContain(':');
    const leftBefore = await shop.text('countdown');
    await shop.page.reload();
    await shop.untilState('awaitingTransfer');
    await expect.poll(() => shop.text('countdown')).toContain(':');
    expect([await shop.text('accountNumber'), await shop.text('reference')]).toEqual(before);
    expect((await shop.text('countdown')) <= leftBefore).toBe(true);
    expect(await shop.page.locator('#checkout').evaluate((one) => getComputedStyle(one).outlineStyle)).toBe(
      'none',
    );
    await pay(shop);
    await shop.untilState('succeeded');
    await shop.page.reload();
    await shop.untilState('succeeded');
    expect(await shop.text('reference')).toBe(before[1]);
  });
});
