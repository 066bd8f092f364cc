import { describe, inject } from 'vitest';
import { languages } from '../../src/i18n/languages.ts';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { openGallery } from './gallery-page.ts';
import { openShop, type ShopPage } from './shop-page.ts';

const demoUrl = inject('demoUrl');

/** Returns the language files that the page has requested, by tag. */
const loadedTags = ({ requested }: ShopPage): string[] =>
  Object.keys(languages).filter((tag) => requested.some((url) => url.includes(`/checkout-${tag}-`)));

/** Opens the script tag's page with the button's checkout in a language. */
async function payIn(shop: ShopPage, locale: string): Promise<void> {
  await shop.page.locator('[data-transfer-checkout]').evaluate((button, tag) => {
    (button as HTMLElement).dataset.locale = tag;
  }, locale);
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  await shop.page.locator(`.card[lang="${locale}"] .actions button`).first().waitFor();
}

describe.concurrent('a language', () => {
  it('is loaded only when it is chosen; English needs no file', async ({ expect, newShopper }) => {
    const english = await openShop(await newShopper({ locale: 'fr-FR' }), demoUrl, '/script-tag');
    await english.page.evaluate(() => {
      document.documentElement.lang = 'fr';
    });
    await english.pressPay();
    await english.untilState('awaitingTransfer');
    expect(loadedTags(english)).toEqual([]);

    const igbo = await openShop(await newShopper(), demoUrl, '/script-tag');
    await payIn(igbo, 'ig');
    expect(loadedTags(igbo)).toEqual(['ig']);
    expect(igbo.complaints).toEqual([]);
  });

  it('keeps the account number and copied values in plain digits from left to right in another script', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper({ permissions: ['clipboard-read', 'clipboard-write'] });
    const shop = await openShop(context, demoUrl, '/script-tag');
    await payIn(shop, 'ar-EG');
    expect(await shop.text('amount')).toContain('١٢٬٥٠٠٫٠٠');
    expect(await shop.text('countdown')).toMatch(/^[٠-٩:]+$/);
    expect(await shop.text('accountNumber')).toMatch(/^\d{10}$/);
    await shop.page.locator('.row.amount button').click();
    await shop.page.locator('.row.amount').getByText('تم النسخ').waitFor();
    expect(await shop.page.evaluate(() => navigator.clipboard.readText())).toBe('12500.00');

    const [first = 0, last = 0] = await shop
      .field('accountNumber')
      .evaluate((number) =>
        [number.firstElementChild, number.lastElementChild].map(
          (group) => group?.getBoundingClientRect().left,
        ),
      );
    expect(first).toBeLessThan(last);
    const [label, value] = await Promise.all(
      ['dt', 'dd'].map((part) => shop.page.locator(`.row.bankName ${part}`).boundingBox()),
    );
    expect(label?.x).toBeGreaterThan(value?.x ?? Infinity);
  });
});

describe('the gallery', () => {
  it('passes axe in every language, at 1280 px', async ({ expect, newShopper }) => {
    const shopper = await newShopper({ viewport: { width: 1280, height: 800 } });
    const { page, show } = await openGallery(shopper, inject('demoUrl'));
    const found: Record<string, string[]> = {};
    for (const locale of Object.keys(languages)) {
      for (const name of ['awaitingTransfer-everything', 'awaitingTransfer-leaving', 'succeeded-overpaid']) {
        await show(name, { theme: 'light', locale });
        const violations = await findViolations(page);
        if (violations.length > 0) found[`${locale} ${name}`] = violations;
      }
    }
    expect(found).toEqual({});
  });
});
