import type { BrowserContext, Locator, Page } from 'playwright-core';
import { describe, inject } from 'vitest';
import { pages, samplesOf } from '../docs/pages.ts';
import { it } from './browser-test.ts';
import { openContent, pay, type ShopPage } from './shop-page.ts';

const demoUrl = inject('demoUrl');

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
const hostile = '* { all: unset !important; } body { display: block; height: 4000px; }';

/** Opens a page of the shop's site with only this content and style sheet. */
async function openPage(context: BrowserContext, body: string, css = ''): Promise<ShopPage> {
  await context.route('**/a-page.css', (route) => route.fulfill({ contentType: 'text/css', body: css }));
  const head = '<link rel="stylesheet" href="/a-page.css"><script src="/package/checkout.js"></script>';
  return openContent(context, { head, body, policy });
}

/** Waits for the card itself: the elements around it in a dialog have no box. */
const untilCard = ({ page }: ShopPage, state: string): Promise<void> =>
  page.locator(`.card[data-state="${state}"]`).first().waitFor();

const isOpen = (page: Page): Promise<boolean> =>
  page.locator('[data-checkout-modal] dialog[open]').isVisible();
const modalButton =
  '<button type="button" data-transfer-checkout data-base-url="/checkout">Pay by bank transfer</button>';

describe.concurrent('the modal', () => {
  it('keeps and restores the focus, and warns before it closes while money may be on its way', async ({
    expect,
    newShopper,
  }) => {
    const shop = await openPage(
      await newShopper(),
      `<a href="#">Before</a>${modalButton}<a href="#">After</a>`,
    );
    const { page } = shop;
    await shop.pressPay();
    await untilCard(shop, 'awaitingTransfer');
    await page.getByRole('dialog', { name: 'Pay by bank transfer' }).waitFor();
    await page.locator('dialog [data-action="sent"]').waitFor();
    const focused = await page.evaluateHandle(() => {
      const places: string[] = [];
      const modal = document.querySelector('[data-checkout-modal]');
      modal?.shadowRoot?.addEventListener('focusin', () => places.push('inside'));
      document.addEventListener('focusin', ({ target }) => {
        if (target !== modal) places.push('outside');
      });
      return places;
    });
    for (let presses = 0; presses < 20; presses += 1) await page.keyboard.press('Tab');
    const places = await focused.jsonValue();
    expect(places).not.toContain('outside');
    expect(places.length).toBeGreaterThan(10);
    await page.keyboard.press('Escape');
    await page.getByText('Before you go').last().waitFor();
    // A second Escape closes a dialog without a `cancel` event.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(true);
    await page.getByRole('button', { name: 'Stay here' }).click();
    await pay(shop);
    await untilCard(shop, 'succeeded');
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Pay/);
    // The same payment shows at once, without another session.
    const sessions = (): number => shop.requested.filter((url) => url.endsWith('/checkout/sessions')).length;
    const sessionsBefore = sessions();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await untilCard(shop, 'succeeded');
    expect(sessions()).toBe(sessionsBefore);
    expect(shop.complaints).toEqual([]);
  });

  it('keeps the focus in the leave dialog; Escape closes that and restores the focus', async ({
    expect,
    newShopper,
  }) => {
    const button = modalButton.replace('data-base-url', 'data-return-url="/orders" data-base-url');
    const { page, pressPay } = await openPage(await newShopper(), button);
    await pressPay();
    await page.locator('dialog [data-action="sent"]').waitFor();
    /** Empty where the focus is in the question, at the dialog, which scrolls, or in the browser's own bars. */
    const focusedOutside = (): Promise<string> =>
      page.evaluate(() => {
        const active = document.querySelector('[data-checkout-modal]')?.shadowRoot?.activeElement;
        return !active || active.matches('dialog, .leave *') ? '' : active.outerHTML;
      });
    await page.locator('dialog [data-action="back"]').focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await focusedOutside()).toBe('');
    }
    await page.locator('dialog .leave').click({ position: { x: 20, y: 20 } });
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await focusedOutside()).toContain('Back to the shop');
    expect(await page.locator('dialog[open]').count()).toBe(1);
  });

  it('prevents the page from scrolling, and is closed by a press outside', async ({ expect, newShopper }) => {
    const context = await newShopper({ viewport: { width: 1280, height: 800 } });
    const shop = await openPage(context, `${modalButton}<p id="long">Long</p>`, '#long { height: 4000px; }');
    const { page } = shop;
    const width = () => page.evaluate(() => document.querySelector('#long')?.getBoundingClientRect().width);
    const before = await width();
    await shop.pressPay();
    await untilCard(shop, 'awaitingTransfer');
    await pay(shop);
    await untilCard(shop, 'succeeded');
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 600);
    await page.keyboard.press('End');
    expect([await page.evaluate(() => scrollY), await width()]).toEqual([0, before]);
    await page.mouse.click(20, 400);
    await expect.poll(() => isOpen(page)).toBe(false);
    // A wheel event before the next frame would be lost.
    const turn = async (): Promise<number> => {
      await page.mouse.wheel(0, 600);
      return page.evaluate(() => scrollY);
    };
    await expect.poll(turn).toBeGreaterThan(0);
  });

  it.for([360, 1280])(
    'looks the same %i px wide, whatever the page’s style sheet says',
    async (width, { expect, newShopper }) => {
      const boxes = [];
      const overflows = [];
      for (const css of ['', hostile]) {
        const still = await newShopper({ viewport: { width, height: 560 } });
        const shop = await openPage(still, modalButton, css);
        await shop.page.locator('button').click();
        await untilCard(shop, 'awaitingTransfer');
        await shop.page.locator('[data-action="sent"]').waitFor();
        overflows.push(
          await shop.page.locator('.card').evaluate((card) => card.scrollHeight - card.clientHeight),
        );
        boxes.push(await shop.page.locator('.card').boundingBox());
        await shop.page.keyboard.press('Escape');
        await shop.page.locator('.leave').waitFor();
        // The leave dialog covers what the shopper sees of the page.
        expect(await shop.page.locator('.leave').boundingBox()).toEqual({ x: 0, y: 0, width, height: 560 });
        expect(shop.complaints).toEqual([]);
      }
      expect(boxes[1]).toEqual(boxes[0]);
      // The card contains its content in any space.
      expect(overflows).toEqual([0, 0]);
      // On a phone it fills the screen.
      if (width === 360) expect(boxes[0]).toMatchObject({ x: 0, y: 0, width: 360 });
    },
  );
});

describe.concurrent('a checkout under a strict content security policy', () => {
  it('scrolls an opened QR code into view, because a cut-off code cannot be scanned', async ({
    expect,
    newShopper,
  }) => {
    const banks = JSON.stringify([{ bank: 'Ada Bank', template: '*901*{amount}*{account}#' }]);
    const shop = await openPage(
      await newShopper({ viewport: { width: 360, height: 600 } }),
      `<transfer-checkout ussd='${banks}' pay-link="/pay"></transfer-checkout>`,
    );
    await untilCard(shop, 'awaitingTransfer');
    await shop.page.getByText('Dial your bank’s code').click();
    const last = shop.page.getByRole('link', { name: /Ada Bank/ });
    await expect.poll(() => cutOff(last)).toBe(0);
    await shop.page.getByRole('button', { name: 'Show QR code' }).click();
    const code = shop.page.getByRole('img', { name: /QR/ });
    await expect.poll(() => cutOff(code)).toBe(0);
  });
});

/** Returns how many of its pixels are outside the window, above and below. */
const cutOff = (shown: Locator): Promise<number> =>
  shown.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.max(0, Math.round(-top)) + Math.max(0, Math.round(bottom - innerHeight));
  });

describe.concurrent('a sample of the documentation', () => {
  const samples = pages.flatMap((page) => samplesOf(page, 'html'));

  it.for(samples)('shows an account: %s', async (sample, { newShopper }) => {
    const shop = await openPage(
      await newShopper(),
      sample
        .replaceAll(/\/assets\/|https:\/\/cdn.shop.example\/transfer-checkout\//g, '/package/')
        .replaceAll('https://pay.shop.example', demoUrl),
    );
    const button = shop.page.getByRole('button', { name: 'Pay by bank transfer' });
    if (sample.includes('<button')) await button.click();
    await untilCard(shop, 'awaitingTransfer');
  });
});
