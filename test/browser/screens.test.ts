import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { measure, openGallery, screens } from './gallery-page.ts';
import { findDifference, pictures } from './pictures.ts';
import { hold, openShop, type ShopPage, saveData } from './shop-page.ts';

/** Returns every shown button and link with its size. */
const findTargets = (page: Page): Promise<{ name: string; width: number; height: number }[]> =>
  page.evaluate(() => {
    const root = document.querySelector('main > div')?.shadowRoot;
    const shown = [...(root?.querySelectorAll('button, a') ?? [])].filter((one) => one.checkVisibility());
    return shown.map((element) => {
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
});

describe('the question before leaving', () => {
  /** Returns the names of its buttons that are wholly on the screen. */
  const buttonsOnScreen = (page: Page): Promise<(string | null)[]> =>
    page.getByRole('alertdialog').evaluate((dialog) => {
      const { offsetLeft, offsetTop, width, height } = visualViewport as VisualViewport;
      return [...dialog.querySelectorAll('button')]
        .filter((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          return (
            left >= offsetLeft &&
            right <= offsetLeft + width &&
            top >= offsetTop &&
            bottom <= offsetTop + height
          );
        })
        .map(({ textContent }) => textContent);
    });
  const addStyles = (page: Page, css: string): Promise<void> =>
    page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
    }, css);
  const all = ['Copy', 'Stay here', 'Leave anyway'];

  it('is on the screen, whatever its size and wherever the checkout is', async ({ newShopper }) => {
    const { page, show } = await openGallery(await newShopper(shopper), inject('demoUrl'));
    // A transformed element is the page of the fixed elements in it.
    await addStyles(page, 'main { margin-top: 300px; transform: translateY(40px) }');
    for (const [width, height] of [
      [360, 560],
      [740, 360],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await show('awaitingTransfer-leaving');
      expect([width, await buttonsOnScreen(page)]).toEqual([width, all]);
    }
  });

  it('is on the screen of a page that is wider than it, and scrolls with large text', async ({
    newShopper,
  }) => {
    const context = await newShopper({ ...shopper, isMobile: true });
    const { page, show } = await openGallery(context, inject('demoUrl'));
    await addStyles(page, 'main { width: 900px; margin-left: 200px }');
    const browser = await context.newCDPSession(page);
    for (const text of [16, 32]) {
      await browser.send('Page.setFontSizes', { fontSizes: { standard: text, fixed: text } });
      await browser.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
      await show('awaitingTransfer-leaving');
      await page.getByRole('alertdialog').evaluate((dialog) => dialog.scrollTo(0, 1e6));
      await expect.poll(() => buttonsOnScreen(page)).toEqual(all);
    }
  });
});

/** Opens the script tag's page with its checkout above it. */
async function openModal(context: BrowserContext): Promise<Page> {
  const shop = await openShop(context, inject('demoUrl'), '/script-tag');
  await pressForModal(shop);
  return shop.page;
}

async function pressForModal({ page, pressPay }: ShopPage): Promise<void> {
  await page.locator('[data-transfer-checkout]').evaluate((button) => {
    (button as HTMLElement).dataset.transferCheckout = '';
  });
  await pressPay();
  await page.locator('dialog [data-action="sent"]').waitFor();
}

describe('the modal', () => {
  it('fills the screen on a page that is wider than it, also while it loads', async ({ newShopper }) => {
    const context = await newShopper({ ...shopper, isMobile: true });
    await saveData(context);
    const letGo = await hold(context, /checkout-widget-/);
    const shop = await openShop(context, inject('demoUrl'), '/script-tag');
    await shop.page.evaluate(() => {
      document.body.style.width = '900px';
    });
    const browser = await context.newCDPSession(shop.page);
    await browser.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
    await shop.page.waitForFunction(() => visualViewport?.width === 360);
    /** Returns how far the edges of a dialog are from those of the screen. */
    const distances = (host: string): Promise<number[]> =>
      shop.page.locator(`[${host}] dialog`).evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const screen = visualViewport as VisualViewport;
        const edges = [
          left - screen.offsetLeft,
          top - screen.offsetTop,
          width - screen.width,
          height - screen.height,
        ];
        return edges.map(Math.round).map(Math.abs);
      });
    const whenShown = pressForModal(shop);
    await shop.page.locator('[data-checkout-waiting] dialog').waitFor();
    await expect.poll(() => distances('data-checkout-waiting')).toEqual([0, 0, 0, 0]);
    letGo();
    await whenShown;
    await expect.poll(() => distances('data-checkout-modal')).toEqual([0, 0, 0, 0]);
    expect(await shop.page.evaluate(() => visualViewport?.width)).toBe(360);
  });

  it('passes axe, with the leave dialog as well', async ({ newShopper }) => {
    const page = await openModal(await newShopper());
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
        const active = root?.activeElement;
        // The dialog scrolls, so Chromium stops at it, too.
        return active?.localName === 'dialog' ? '' : (active?.textContent ?? '');
      });
    const link = page.locator('dialog [data-action="back"]');
    await link.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      expect(['Copy', 'Stay here', 'Leave anyway', '']).toContain(await focused());
    }
    await page.locator('dialog .leave').click({ position: { x: 20, y: 20 } });
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Back to the shop');
    expect(await page.locator('dialog[open]').count()).toBe(1);
  });
});
