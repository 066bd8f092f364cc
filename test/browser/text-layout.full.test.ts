import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { languages } from '../../src/i18n/languages.ts';
import { it } from './browser-test.ts';
import { type GalleryPage, openGallery } from './gallery-page.ts';

type Edges = { left: number; right: number; top: number; bottom: number };

/** Returns the edges of the first element that matches, in whole pixels. */
const edgesOf = (page: Page, selector: string): Promise<Edges> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const [l = 0, r = 0, t = 0, b = 0] = [left, right, top, bottom].map(Math.round);
      return { left: l, right: r, top: t, bottom: b };
    });

/** Returns the edges of each line of an element's text. */
const linesOf = (page: Page, selector: string): Promise<{ left: number; right: number }[]> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const lines = new Map<number, { left: number; right: number }>();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const { left, right, top } of range.getClientRects()) {
          const line = lines.get(Math.round(top)) ?? { left: Infinity, right: -Infinity };
          lines.set(Math.round(top), {
            left: Math.min(line.left, Math.round(left)),
            right: Math.max(line.right, Math.round(right)),
          });
        }
      }
      return [...lines.values()];
    });

/** Returns the text sizes of the account's number, and of every other text that is shown. */
const sizesOfTexts = (page: Page): Promise<number[]> =>
  page.locator('.card').evaluate((card) => {
    const sizeOf = (element: Element): number => Number.parseFloat(getComputedStyle(element).fontSize);
    const number = card.querySelector('.accountNumber bdi');
    const shown = [...card.querySelectorAll('*')].filter(
      (element) =>
        element.checkVisibility() &&
        !number?.contains(element) &&
        !element.closest('.spoken') &&
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim()),
    );
    return [...(number ? [number] : []), ...shown].map(sizeOf);
  });

/** Opens the gallery for a reader whose text has this size in pixels: 16 is the usual one. */
async function openLarge(context: BrowserContext, size = 32): Promise<GalleryPage> {
  const gallery = await openGallery(context, inject('demoUrl'));
  const browser = await context.newCDPSession(gallery.page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } });
  return gallery;
}

describe('a part payment, in a wide font', () => {
  it.for([
    [320, 16],
    [320, 24],
    [320, 32],
    [360, 32],
  ] as const)(
    'moves nothing, in any language: %i px wide, text of %i px',
    async ([width, size], { newShopper }) => {
      const { page, show } = await openLarge(await newShopper(), size);
      await page.setViewportSize({ width, height: 740 });
      for (const locale of ['en', ...Object.keys(languages)]) {
        const places: number[] = [];
        for (const name of ['awaitingTransfer', 'partlyPaid'] as const) {
          await show(name, { locale, font: 'DejaVu Sans' });
          for (const part of ['.accountNumber', '[data-action="sent"]'])
            places.push((await edgesOf(page, part)).top);
        }
        const before = places.splice(0, places.length / 2);
        expect(places, locale).toEqual(before);
      }
    },
  );
});

describe('a screen at twice the text size, on a phone', () => {
  it('has no text that touches what is below it', async ({ newShopper }) => {
    const { page, show } = await openLarge(await newShopper());
    for (const [name, above, below] of [
      ['awaitingTransfer', '[data-field="payBy"]', '.bar'],
      ['awaitingTransfer-pressToCopy', '.accountNumber bdi', '.accountNumber button'],
      ['checking', '.status b', '.status button'],
    ] as const) {
      await show(name);
      const space = (await edgesOf(page, below)).top - (await edgesOf(page, above)).bottom;
      const least = name === 'awaitingTransfer-pressToCopy' ? 0 : 8;
      expect(space, name).toBeGreaterThanOrEqual(least);
    }
  });

  it.for([320, 360])(
    'has the account’s number on one line and larger than all other text, below a short lead: %i px',
    async (width, { newShopper }) => {
      const { page, show } = await openLarge(await newShopper());
      await page.setViewportSize({ width, height: 740 });
      for (const [name, lead] of [
        ['awaitingTransfer', 'Send it in one transfer.'],
        ['partlyPaid', '₦5,000.00 of ₦12,500.00 has arrived.'],
      ] as const) {
        await show(name);
        expect((await page.locator('.top p').innerText()).replaceAll('\u00a0', ' ')).toBe(lead);
        expect(await linesOf(page, '.accountNumber bdi')).toHaveLength(1);
        const [number = 0, ...others] = await sizesOfTexts(page);
        expect(others.filter((size) => size >= number)).toEqual([]);
      }
    },
  );

  it('keeps a past or closed number on one line, which begins where its label does', async ({
    newShopper,
  }) => {
    const { page, show } = await openLarge(await newShopper());
    await page.setViewportSize({ width: 320, height: 740 });
    for (const name of ['awaitingTransfer-timeIsUp', 'checking', 'expired', 'failed', 'reversed'] as const) {
      await show(name);
      const [label] = await linesOf(page, '.accountNumber dt');
      const lines = await linesOf(page, '.accountNumber bdi');
      expect(lines.map(({ left }) => left - (label?.left ?? 0))).toEqual([0]);
    }
  });

  it('has a title and an amount received that are no smaller than the text around them', async ({
    newShopper,
  }) => {
    const { page, show } = await openLarge(await newShopper());
    await show('succeeded');
    const sizeOf = (selector: string): Promise<number> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    expect(await sizeOf('h2')).toBeGreaterThanOrEqual(await sizeOf('.leads p'));
    expect(await sizeOf('.received bdi')).toBeGreaterThanOrEqual(await sizeOf('.received dt'));
  });

  it('has the account’s number and the reference on one line', async ({ newShopper }) => {
    const { page, show } = await openLarge(await newShopper());
    await show('checking');
    expect(await linesOf(page, '.foot bdi')).toHaveLength(1);
    await page.setViewportSize({ width: 360, height: 740 });
    await show('awaitingTransfer');
    expect(await linesOf(page, '.accountNumber bdi')).toHaveLength(1);
  });
});

describe('the time of the last check', () => {
  it('has half of the card, or all of it above a button with a long label', async ({ newShopper }) => {
    const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
    const isBeside = async (): Promise<boolean> =>
      (await edgesOf(page, '.status button')).top < (await edgesOf(page, '.status b')).bottom;
    await show('checking');
    expect(await isBeside()).toBe(true);
    await show('checking', { locale: 'fr' });
    expect(await isBeside()).toBe(false);
    expect((await linesOf(page, '.status b')).length).toBeLessThanOrEqual(2);
  });
});

describe('an account number of several lines', () => {
  it.for([
    ['en', 'left'],
    ['ar', 'right'],
  ] as const)('has each line at the edge of its label: %s', async ([locale, edge], { newShopper }) => {
    const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
    await show('awaitingTransfer-long', { locale });
    const [label] = await linesOf(page, '.accountNumber dt');
    const lines = await linesOf(page, '.accountNumber bdi');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(Math.abs(line[edge] - (label?.[edge] ?? 0))).toBeLessThanOrEqual(1);
  });
});

describe('a screen from right to left', () => {
  it('ends the row of a bank with its code, and mirrors the sketch of a row', async ({ newShopper }) => {
    const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
    await show('awaitingTransfer-ussd', { locale: 'ar' });
    const [code, row] = [await edgesOf(page, '.ussd a bdi'), await edgesOf(page, '.ussd a')];
    expect(code.left - row.left).toBeLessThan(8);
    await show('loading', { locale: 'ar' });
    const transform = await page
      .locator('.skeleton i')
      .first()
      .evaluate((line) => getComputedStyle(line).transform);
    expect(transform).toBe('matrix(-1, 0, 0, 1, 0, 0)');
  });
});
