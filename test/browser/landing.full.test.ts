import { describe, expect } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { fitsWidth, openLanding, phone, press } from './landing-page.ts';

describe('the landing page', () => {
  it('takes a payment from its bank app on a phone', async ({ newShopper }) => {
    const landing = await openLanding(await newShopper(phone));
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
    await page.getByText('₦12,500.00 received').first().waitFor();
    await press(page, 'activity-toggle');
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
});
