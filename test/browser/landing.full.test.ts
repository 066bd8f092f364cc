import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { press } from './hosted-demo.ts';
import { openShop } from './shop-page.ts';

const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

it('the landing page takes a payment from its bank app on a phone', async ({ newShopper }) => {
  const context = await newShopper();
  const messages: string[] = [];
  context.on('console', (message) => messages.push(message.text()));
  const { page, pressPay, untilState } = await openShop(context, inject('demoUrl'));
  await page.locator('.film-checkout .card').waitFor();
  const violations = await findViolations(page);
  const widths = [await fitsWidth(page)];
  await pressPay();
  await untilState('awaitingTransfer');
  await page.locator('[data-action="send-exactly"]').waitFor();
  violations.push(...(await findViolations(page)));
  await press(page, 'send-exactly');
  await untilState('succeeded');
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
