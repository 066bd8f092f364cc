import type { Page } from 'playwright-core';
import { describe, inject } from 'vitest';
import type { PaymentView, Session } from '../../src/contract/index.ts';
import { languages, loadMessages } from '../../src/i18n/languages.ts';
import { sessionOf } from '../core/views.ts';
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

  it('does not fall back to the browser’s own amounts if `Intl` does not support it', async ({
    expect,
    newShopper,
  }) => {
    // German would format 12.500,00.
    const shop = await openShop(await newShopper({ locale: 'de-DE' }), demoUrl, '/script-tag');
    await payIn(shop, 'yo');
    expect(await shop.text('amount')).toBe('₦12,500.00');
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

/** The longest translation of every message, which each screen must fit. */
async function longestWords(): Promise<Record<string, string>> {
  const all = await Promise.all(Object.keys(languages).map(loadMessages));
  const longest: Record<string, string> = {};
  for (const [key, text] of all.flatMap((words) => Object.entries(words ?? {}))) {
    if (text.normalize('NFC').length > (longest[key]?.length ?? 0)) longest[key] = text.normalize('NFC');
  }
  return longest;
}

const views: readonly Partial<PaymentView>[] = [
  {},
  { chargedAmount: 500_000 },
  { status: 'charged', chargedAmount: 1_250_000 },
  { outcome: 'paid', status: 'succeeded', chargedAmount: 1_300_000, paidAt: '2026-03-01T12:04:00Z' },
  { outcome: 'paid', receivedLate: true, chargedAmount: 1_250_000, paidAt: '2026-03-01T12:44:00Z' },
  { outcome: 'expired', status: 'expired' },
  { outcome: 'replaced' },
  { outcome: 'unclear' },
  { outcome: 'failed', status: 'failed' },
  { outcome: 'amountMismatch', chargedAmount: 1_000_000 },
  { outcome: 'reversed' },
];

/** Shows a payment from a session of the page; later requests get no response. */
async function mountSession(page: Page, session: Session, words: Record<string, string>): Promise<void> {
  await page.evaluate(
    async ([session, en]) => {
      const host = document.querySelector('#checkout') as HTMLElement;
      const { TransferCheckout } = globalThis as unknown as {
        TransferCheckout: { mountCheckout: (element: Element, options: object) => Promise<unknown> };
      };
      await TransferCheckout.mountCheckout(host, {
        session,
        merchantName: 'Kola’s Bookshop',
        returnUrl: '/',
        supportEmail: 'help@shop.example',
        locale: 'en',
        languages: { en },
      });
    },
    [session, words] as const,
  );
  await page
    .locator('.card .links')
    .getByText(words.help ?? '')
    .waitFor();
}

/** Returns text that overflows the card or its button, and horizontal scrolling. */
function findCut(): string[] {
  const root = document.querySelector('#checkout')?.shadowRoot;
  const card = root?.querySelector('.card') as HTMLElement;
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement as HTMLElement;
    if (!node.textContent?.trim() || element.closest('.spoken') || !element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    const box = (element.closest('button, a') ?? card).getBoundingClientRect();
    const isInside =
      text.left > box.left - 1 &&
      text.right < box.right + 1 &&
      text.top > box.top - 2 &&
      text.bottom < box.bottom + 2;
    if (!isInside) found.push(node.textContent);
  }
  return found;
}

/** Returns amounts on more than one line. */
function findBroken(): string[] {
  const card = document.querySelector('#checkout')?.shadowRoot?.querySelector('.card') as HTMLElement;
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('.spoken')) continue;
    for (const { 0: amount, index } of (node.textContent ?? '').matchAll(/[A-Z]{3}\s[\d.,]*\d/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + amount.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(amount);
    }
  }
  return found;
}

describe('the longest translations', () => {
  it.for([
    ['at 320 px', 320, 16],
    ['at twice the text size', 360, 32],
    ['at twice the text size at 320 px', 320, 32],
  ] as const)('are whole on every screen %s', async ([, width, fontSize], { expect, newShopper }) => {
    const context = await newShopper({ viewport: { width, height: 740 } });
    const { page } = await openShop(context, demoUrl, '/script-tag');
    const browser = await context.newCDPSession(page);
    await browser.send('Page.setFontSizes', { fontSizes: { standard: fontSize, fixed: fontSize } });
    await page.route('**/checkout/sessions/**', () => {});
    await page.evaluate(() => document.body.replaceChildren(document.querySelector('#checkout') as Element));
    const words = await longestWords();
    for (const view of views) {
      await mountSession(page, sessionOf(view), words);
      expect([await page.evaluate(findCut), await page.evaluate(findBroken)], JSON.stringify(view)).toEqual([
        [],
        [],
      ]);
    }
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
