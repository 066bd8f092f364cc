import type { BrowserContext, Page } from 'playwright-core';
import { describe } from 'vitest';
import { it } from './browser-test.ts';
import { hold, openContent, pay, type ShopPage, saveData } from './shop-page.ts';

const button = `<button type="button" data-transfer-checkout data-base-url="/checkout" data-merchant-name="Kola’s Bookshop">Pay by bank transfer</button>`;

/** Opens a page with this content, and waits for the script tag. */
async function openPage(context: BrowserContext, body = button): Promise<ShopPage> {
  const shop = await openContent(context, { body });
  await shop.page.waitForFunction(() => 'TransferCheckout' in window);
  return shop;
}

const card = (page: Page, state: string) =>
  page.locator(`[data-checkout-modal] .card[data-state="${state}"]`);

describe.concurrent('a press on the button', () => {
  it('makes it busy until the checkout opens, and the focus returns to it', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper({ reducedMotion: 'no-preference' });
    await saveData(context);
    const shop = await openPage(context);
    const letGo = await hold(context, /checkout-widget-/);
    await shop.pressPay();
    const pressed = shop.page.locator('button[aria-busy="true"]');
    await pressed.locator('span').waitFor();
    expect(await shop.page.locator('dialog').count()).toBe(0);
    letGo();
    await card(shop.page, 'awaitingTransfer').waitFor();
    await expect.poll(() => pressed.count()).toBe(0);
    await pay(shop);
    await card(shop.page, 'succeeded').waitFor();
    await shop.page.keyboard.press('Escape');
    await expect.poll(() => shop.page.locator('dialog').count()).toBe(0);
    expect(await shop.page.evaluate(() => document.activeElement?.textContent)).toBe('Pay by bank transfer');
    expect(shop.complaints).toEqual([]);
  });

  it('shows where the focus is if it is by keyboard', async ({ expect, newShopper }) => {
    const shop = await openPage(await newShopper());
    await shop.page.keyboard.press('Tab');
    await shop.page.keyboard.press('Enter');
    await card(shop.page, 'awaitingTransfer').waitFor();
    const title = shop.page.locator('[data-checkout-modal] h2:focus');
    expect(await title.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
  });
});

describe.concurrent('a reloaded page', () => {
  const note = (page: Page): Promise<string | null> =>
    page.evaluate(() => sessionStorage.getItem('transfer-checkout-open'));
  const untilNoted = async ({ page }: ShopPage): Promise<void> => {
    await page.waitForFunction(() => sessionStorage.getItem('transfer-checkout-open'));
  };

  it.for([button, '<transfer-checkout modal base-url="/checkout"></transfer-checkout>'])(
    'reopens an open checkout until it is closed: %s',
    async (html, { expect, newShopper }) => {
      const shop = await openPage(await newShopper(), html);
      const { page } = shop;
      if (html === button) await shop.pressPay();
      else await page.evaluate(() => document.querySelector('transfer-checkout')?.open());
      await card(page, 'awaitingTransfer').waitFor();
      const account = await shop.text('accountNumber');
      await untilNoted(shop);
      expect(await note(page)).not.toMatch(/secret|cs_/);
      await page.reload();
      await card(page, 'awaitingTransfer').waitFor();
      // The title has the focus, without a focus ring, because no key was pressed.
      const title = page.locator('[data-checkout-modal] h2:focus');
      expect(await title.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('none');
      expect(await shop.text('accountNumber')).toBe(account);
      await untilNoted(shop);
      await page.locator('[data-action="sent"]').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.locator('[data-checkout-modal]').waitFor({ state: 'detached' });
      await page.reload();
      await page.waitForLoadState('networkidle');
      expect([await note(page), await page.locator('dialog').count()]).toEqual([null, 0]);
    },
  );
});
