import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { toNodeListener } from '../../server-kit/client/http/node.ts';
import { createStatusPage } from '../../server-kit/index.ts';
import { createTestShop, type TestShop } from '../../server-kit/tools/testing/index.ts';
import { serve } from '../server-kit/kit/serve.ts';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { desktop, fitsWidth, openLanding, phone } from './landing-page.ts';

const longOrder = `order-${'0123456789-'.repeat(10)}end`;

const failure = `duplicate key value violates unique constraint "${'shipments_order_id_key_'.repeat(5)}"\n  at نقل`;

/** A shop with money that came in time, late, unexpectedly and back, and whose handlers fail. */
async function createBusyShop(): Promise<TestShop> {
  const fail = (): Promise<never> => Promise.reject(new Error(failure));
  const options = { onPaid: fail, onUnexpectedMoney: fail, maxHandlerTries: 1 };
  const shop = createTestShop(options, {
    sandbox: { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' },
  });
  const paid = await shop.open({ orderId: longOrder });
  await shop.pay(paid);
  await shop.reverse(paid);
  const late = await shop.open({ orderId: 'order-2' });
  const unexpected = await shop.open({ orderId: 'order-3' });
  await shop.advance({ hours: 2 });
  await shop.pay(late);
  await shop.pay(unexpected, { amount: 5000 });
  await shop.open({ orderId: `${longOrder}-open` });
  shop.clock.advance(12 * 60_000);
  return shop;
}

async function openStatus(page: Page, { checkout }: Pick<TestShop, 'checkout'>): Promise<void> {
  const { url } = await serve(toNodeListener(createStatusPage({ checkout, authorize: () => true })));
  await page.goto(url);
}

describe('the status page', () => {
  it('fits a desktop and a phone, and axe finds nothing', async ({ newShopper }) => {
    const page = await (await newShopper()).newPage();
    for (const shop of [await createBusyShop(), createTestShop()]) {
      await openStatus(page, shop);
      for (const { viewport } of [desktop, phone]) {
        await page.setViewportSize(viewport);
        expect(await fitsWidth(page)).toBe(true);
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findViolations(page)).toEqual([]);
      }
    }
  });

  it('has its styles and retries under its own policy', async ({ newShopper }) => {
    const page = await (await newShopper()).newPage();
    await openStatus(page, await createBusyShop());
    expect(
      await page
        .locator('dl')
        .first()
        .evaluate((list) => getComputedStyle(list).display),
    ).toBe('grid');
    await page.getByRole('button', { name: 'Retry order-3:unexpectedMoney' }).click();
    await page.getByRole('status').filter({ hasText: 'Retried' }).waitFor();
  });

  it('is linked from the demo', async ({ newShopper }) => {
    const { page } = await openLanding(await newShopper());
    await page.getByRole('link', { name: 'Operator’s view' }).click();
    await page.getByRole('heading', { name: 'Checkout status' }).waitFor();
  });
});
