import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { checkScreens, otherLooks, shopper } from './check-screens.ts';
import { openGallery } from './gallery-page.ts';
import { pictures } from './pictures.ts';
import { hold, openShop, type ShopPage, saveData } from './shop-page.ts';

const names = pictures.filter((look) => Object.keys(look).length === 1).map(({ name }) => name);

/** Screens that together show every part. The full tests check all of them, in all their looks. */
const slice = [
  'loading',
  'awaitingTransfer-everything',
  'awaitingTransfer-qr',
  'checking-notFound-test',
  'expired-replaced',
  'succeeded-overpaid',
  'receivedLate-paidTwice',
  'dedicatedAccount',
];

describe('a screen of the gallery', () => {
  it('passes axe, has its buttons in the order of the Tab key, its parts beside each other in the colours of the card, and fits into 320 px', async ({
    newShopper,
  }) => {
    const gallery = await openGallery(await newShopper(shopper), inject('demoUrl'));
    const looks = [...slice.map((name) => ({ name })), ...otherLooks.filter((_, index) => index % 4 === 0)];
    expect((await checkScreens(gallery, looks)).found).toEqual({});
    expect(gallery.complaints).toEqual([]);
  });
});

describe('the gallery', () => {
  it.for([
    ['light', 'rgb(241, 243, 244)'],
    ['dark', 'rgb(11, 15, 19)'],
  ] as const)('is %s where the system is', async ([colorScheme, background], { newShopper }) => {
    const page = await (await newShopper({ colorScheme })).newPage();
    await page.goto(`${inject('demoUrl')}/gallery`);
    const look = page.locator('.look').first();
    expect(await look.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(background);
  });
});

describe('a small phone', () => {
  it('has the main action in sight, and the reference where a sentence names it', async ({ newShopper }) => {
    const size = { width: 360, height: 560 };
    const { page, show } = await openGallery(
      await newShopper({ ...shopper, viewport: size }),
      inject('demoUrl'),
    );
    const found: Record<string, unknown> = {};
    const extra = ['checking-long', 'expired-part', 'unavailable-stored', 'awaitingTransfer-lost'];
    for (const name of [...names, ...extra].filter((one) => !/-(leaving|qr|ussd)$/.test(one))) {
      await show(name);
      const places = await page.evaluate(() => {
        const root = document.querySelector('main > div')?.shadowRoot;
        const ends = (selector: string) =>
          [...(root?.querySelectorAll(selector) ?? [])].map((one) => one.getBoundingClientRect().bottom);
        const [reference] = root?.querySelectorAll('.foot') ?? [];
        const texts = [...(root?.querySelectorAll('.leads p, .status p:not(.foot)') ?? [])];
        const naming = texts.find(({ textContent }) => /reference/.test(textContent ?? ''));
        const [from, to] = [naming, reference].map((one) => one?.getBoundingClientRect());
        return {
          actions: ends('.actions > [part="button"], .actions > .main, .actions > [data-action="back"]'),
          // With its copy button, not further below the sentence than one other.
          distance:
            from && (reference?.querySelector('button') ? Math.abs((to?.top ?? 1e6) - from.bottom) : 1e6),
        };
      });
      const isFar = (places.distance ?? 0) > 90;
      if (isFar || places.actions.some((end) => end > size.height)) found[name] = places;
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
  const all = ['Copy', 'Stay here', 'Leave'];

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
      expect(await buttonsOnScreen(page), `${width} px`).toEqual(all);
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
      expect(await findViolations(page), colorScheme).toEqual([]);
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
      expect(['Copy', 'Stay here', 'Leave', '']).toContain(await focused());
    }
    await page.locator('dialog .leave').click({ position: { x: 20, y: 20 } });
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Back to the shop');
    expect(await page.locator('dialog[open]').count()).toBe(1);
  });
});
