import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { languages } from '../../src/locales/languages.ts';
import { it } from './browser-test.ts';
import { openGallery, screens } from './gallery-page.ts';
import { openShop } from './shop-page.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in the checkout, each with the beginning of its element. */
const findViolations = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });

/** Everything that is pressed, with its measures. */
const findTargets = (page: Page): Promise<{ name: string; width: number; height: number }[]> =>
  page.evaluate(() => {
    const root = document.querySelector('main > div')?.shadowRoot;
    return [...(root?.querySelectorAll('button, a') ?? [])].map((element) => {
      // What is pressed of a row is the whole of it.
      const row = getComputedStyle(element, '::after').content === 'none' ? null : element.closest('.row');
      const { width, height } = (row ?? element).getBoundingClientRect();
      return { name: element.textContent?.trim() ?? '', width, height };
    });
  });

describe('every screen of the gallery', () => {
  it.for([
    ['light', 'en'],
    ['dark', 'en'],
    ['light', 'ar'],
  ] as const)('is one in which axe finds nothing: %s, %s', async ([theme, locale], { newShopper }) => {
    const { page, show, complaints } = await openGallery(
      await newShopper({ reducedMotion: 'reduce' }),
      inject('demoUrl'),
    );
    await page.evaluate(axeSource);
    const found: Record<string, string[]> = {};
    for (const { name } of screens) {
      await show(name, { theme, locale });
      const violations = await findViolations(page);
      if (violations.length > 0) found[name] = violations;
    }
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
  });

  it('is one in which axe finds nothing in any language, at 1280 px', async ({ newShopper }) => {
    const shopper = await newShopper({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
    const { page, show } = await openGallery(shopper, inject('demoUrl'));
    await page.evaluate(axeSource);
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

  it('fits into 320 px, and has targets that are large enough for a thumb', async ({ newShopper }) => {
    const shopper = await newShopper({ viewport: { width: 320, height: 640 } });
    const { page, show } = await openGallery(shopper, inject('demoUrl'));
    for (const { name } of screens) {
      for (const density of ['comfortable', 'compact']) {
        await show(name, { density });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        const small = (await findTargets(page)).filter(({ width, height }) => Math.min(width, height) < 44);
        expect({ name, density, width, small }).toEqual({ name, density, width: 320, small: [] });
      }
    }
  });
});

/** The script tag's page, with its checkout above it. */
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
  it('is one in which axe finds nothing, also while it asks', async ({ newShopper }) => {
    const page = await openModal(await newShopper({ reducedMotion: 'reduce' }));
    await page.evaluate(axeSource);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await findViolations(page)]).toEqual([colorScheme, []]);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it('that asks keeps the focus in its question; Escape means to stay, and gives the focus back', async ({
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
