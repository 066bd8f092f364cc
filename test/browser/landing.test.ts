import { describe, expect } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { desktop, fitsWidth, isInSight, openLanding, openPaying, phone, press } from './landing-page.ts';
import { digitsOf } from './shop-page.ts';
import { smallPhone, untilInSight } from './thumb.ts';

describe('the landing page', () => {
  it.for([
    ['on a phone', phone],
    ['on a desktop', desktop],
  ] as const)('takes a payment from its bank app, %s', async ([, options], { newShopper }) => {
    const landing = await openLanding(await newShopper(options));
    const { page, messages } = landing;
    await page.locator('.film-checkout .card').waitFor();
    const violations = await findViolations(page);
    const widths = [await fitsWidth(page)];
    await landing.pressPay();
    await landing.untilState('awaitingTransfer');
    await page.locator('[data-action="send-exactly"]').waitFor();
    violations.push(...(await findViolations(page)));
    await press(page, 'send-exactly');
    await landing.untilState('succeeded');
    await page.getByText('Payment received').first().waitFor();
    if (options === phone) await press(page, 'activity-toggle');
    await page.locator('.activity-name', { hasText: 'onPaid' }).waitFor();
    violations.push(...(await findViolations(page)));
    widths.push(await fitsWidth(page));
    const lines = await page
      .locator('.activity-call > summary')
      .evaluateAll((calls) => calls.map(({ clientHeight }) => Math.round(clientHeight / 24)));
    expect(new Set(lines)).toEqual(new Set([1]));
    expect({ violations, widths, messages }).toEqual({ violations: [], widths: [true, true], messages: [] });
    const before = await page.locator('#order-id').textContent();
    await page.getByRole('button', { name: 'Start a new order' }).click();
    await page.getByRole('button', { name: 'Pay by bank transfer' }).waitFor();
    await expect.poll(() => page.locator('#order-id').textContent()).toMatch(/^order-/);
    expect(await page.locator('#order-id').textContent()).not.toBe(before);
  });

  it('never hides the account number behind the bank app of a phone', async ({ newShopper }) => {
    const landing = await openPaying(await newShopper({ ...phone }));
    const { page } = landing;
    expect(await isInSight(landing, 'accountNumber')).toBe(true);
    await press(page, 'bank-toggle');
    await page.locator('[data-step="recipient"]').waitFor();
    expect(await isInSight(landing, 'accountNumber')).toBe(true);
    await page.locator('[name="accountNumber"]').fill(digitsOf(await landing.text('accountNumber')));
    await page.locator('[data-step="amount"]').waitFor();
    expect(await isInSight(landing, 'accountNumber')).toBe(true);
    // Everything else can be scrolled out from under it. The page follows the height of the bank app one frame later.
    const isLastCovered = async (): Promise<boolean> => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const last = await page.locator('.again button').boundingBox();
      const bank = await page.locator('.bank').boundingBox();
      return (last?.y ?? 9999) + (last?.height ?? 0) > (bank?.y ?? 0);
    };
    expect(await page.locator('.again button').isVisible()).toBe(true);
    await expect.poll(isLastCovered).toBe(false);
  });
});

describe('the landing page of a small phone', () => {
  it('shows the title, and the button below the account, above the bank app', async ({ newShopper }) => {
    const { page } = await openPaying(await newShopper(smallPhone));
    await untilInSight(page, '#checkout h2', '.accountNumber button', '[data-action="sent"]');
  });
});
