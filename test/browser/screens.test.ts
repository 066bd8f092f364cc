import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { languages } from '../../src/i18n/languages.ts';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { measure, openGallery, screens } from './gallery-page.ts';
import { findDifference, pictures } from './pictures.ts';
import { openShop } from './shop-page.ts';

/** Returns every button and link with its size. */
const findTargets = (page: Page): Promise<{ name: string; width: number; height: number }[]> =>
  page.evaluate(() => {
    const root = document.querySelector('main > div')?.shadowRoot;
    return [...(root?.querySelectorAll('button, a') ?? [])].map((element) => {
      // The copy button's area is its whole row.
      const row = getComputedStyle(element, '::after').content === 'none' ? null : element.closest('.row');
      const { width, height } = (row ?? element).getBoundingClientRect();
      return { name: element.textContent?.trim() ?? '', width, height };
    });
  });

/** Returns what does not fit into 320 px, and targets too small for a thumb. */
async function findMisfits(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const small = (await findTargets(page)).filter((target) => Math.min(target.width, target.height) < 44);
  return [...(width === 320 ? [] : [`${width} px wide`]), ...small.map((target) => JSON.stringify(target))];
}

const height = 640;
const shopper: BrowserContextOptions = {
  viewport: { width: 360, height },
  reducedMotion: 'reduce',
  timezoneId: 'Africa/Lagos',
  locale: 'en-GB',
};

/** Screens on which the account keeps its position. */
const still = [
  'awaitingTransfer-copied',
  'awaitingTransfer-amountCopied',
  'awaitingTransfer-offline',
  'awaitingTransfer-retrying',
  'awaitingTransfer-failing',
  'awaitingTransfer-timeIsUp',
  'awaitingTransfer-timeIsUpOffline',
  'awaitingTransfer-lastMinute',
  'awaitingTransfer-leaving',
];

describe('every screen of the gallery', () => {
  it('passes axe, matches its picture, does not move, and fits into 320 px', async ({ newShopper }) => {
    const { page, show, complaints } = await openGallery(await newShopper(shopper), inject('demoUrl'));
    const pictured = new Set(pictures.filter((one) => Object.keys(one).length === 1).map(({ name }) => name));
    const places: Record<string, object> = {};
    const found: Record<string, unknown> = {};
    for (const { name } of screens) {
      await page.setViewportSize({ width: 360, height });
      await show(name);
      const sent = await page
        .locator('[data-action="sent"]')
        .evaluateAll(([button]) => button && button.getBoundingClientRect().y + scrollY);
      places[name] = { ...(await measure(page)), sent };
      const difference = pictured.delete(name) ? await findDifference(page, { name }) : undefined;
      const violations = await findViolations(page);
      const misfits = await findMisfits(page);
      if (difference || violations.length > 0 || misfits.length > 0)
        found[name] = { difference, violations, misfits };
    }
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
    // Each picture belongs to an existing screen.
    expect([...pictured]).toEqual([]);
    for (const name of still) expect({ name, ...places[name] }).toEqual({ name, ...places.awaitingTransfer });
    const { sent: _, ...account } = places.awaitingTransfer as { sent: unknown };
    expect(places.partlyPaid).toMatchObject(account);
  });

  it('has enough contrast in the dark theme, and fits when compact', async ({ newShopper }) => {
    const { page, show } = await openGallery(await newShopper(shopper), inject('demoUrl'));
    const found: Record<string, unknown> = {};
    for (const { name } of screens) {
      await show(name, { theme: 'dark', density: 'compact' });
      const misfits = await findMisfits(page);
      // Of axe's rules, only those on colour depend on the theme.
      const violations = await findViolations(page, ['color-contrast']);
      if (violations.length > 0 || misfits.length > 0) found[name] = { violations, misfits };
    }
    expect(found).toEqual({});
  });

  it('matches its pictures in the dark theme, from right to left, and in other widths', async ({
    newShopper,
  }) => {
    const { page, show } = await openGallery(await newShopper(shopper), inject('demoUrl'));
    const found: Record<string, string> = {};
    for (const picture of pictures.filter((one) => Object.keys(one).length > 1)) {
      const { name, width = 360, ...look } = picture;
      await page.setViewportSize({ width, height });
      await show(name, look);
      const difference = await findDifference(page, picture);
      if (difference !== undefined) found[JSON.stringify(picture)] = difference;
    }
    expect(found).toEqual({});
  });

  it('passes axe in every language, at 1280 px', async ({ newShopper }) => {
    const shopper = await newShopper({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
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

/** Opens the script tag's page with its checkout above it. */
async function openModal(context: BrowserContext): Promise<Page> {
  const shop = await openShop(context, inject('demoUrl'), '/script-tag');
  await shop.page.locator('[data-transfer-checkout]').evaluate((button) => {
    (button as HTMLElement).dataset.transferCheckout = '';
  });
  await shop.pressPay();
  await shop.page.locator('dialog [data-action="sent"]').waitFor();
  return shop.page;
}

describe('the modal', () => {
  it('passes axe, with the leave dialog as well', async ({ newShopper }) => {
    const page = await openModal(await newShopper({ reducedMotion: 'reduce' }));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await findViolations(page)]).toEqual([colorScheme, []]);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it('keeps the focus in the leave dialog; Escape closes that and restores the focus', async ({
    newShopper,
  }) => {
    const page = await openModal(await newShopper());
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const root = document.querySelector('[data-checkout-modal]')?.shadowRoot;
        return root?.activeElement?.textContent ?? '';
      });
    const link = page.locator('dialog [data-action="back"]');
    await link.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      expect(['Stay here', 'Leave anyway', '']).toContain(await focused());
    }
    await page.locator('dialog .leave').click({ position: { x: 20, y: 20 } });
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Back to the shop');
    expect(await page.locator('dialog[open]').count()).toBe(1);
  });
});
