import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';
import { type GalleryScreen, screens } from '../../demo/gallery/screens.ts';

export { screens };

export type GalleryPage = {
  readonly page: Page;
  /** Shows one screen alone, and resolves when it is complete: `show('expired', { theme: 'dark', locale: 'ar' })`. */
  readonly show: (name: GalleryScreen['name'], look?: Record<string, string>) => Promise<void>;
  /** Script errors and violations of the content security policy. */
  readonly complaints: string[];
};

const require = createRequire(import.meta.url);
/** The characters of each file of the font, as CSS has them: `{ latin: 'U+0000-00FF, …' }`. */
const ranges: Readonly<Record<string, string>> = require('@fontsource/vazirmatn/unicode.json');

/** One font for Latin, the signs of currencies and Arabic, so that pages look the same on every machine. */
const fontFiles = Object.entries(ranges).flatMap(([script, range]) =>
  [400, 500, 600, 700].map((weight) => ({
    weight: `${weight}`,
    range,
    path: `@fontsource/vazirmatn/files/vazirmatn-${script}-${weight}-normal.woff2`,
  })),
);

/** Loads the font into a page as `Test`. */
async function addTestFont(page: Page): Promise<void> {
  const files = await Promise.all(
    fontFiles.map(async ({ path, ...file }) => ({
      ...file,
      base64: await readFile(require.resolve(path), 'base64'),
    })),
  );
  await page.evaluate(async (fonts) => {
    for (const { weight, range, base64 } of fonts) {
      const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
      const font = new FontFace('Test', bytes, { weight, unicodeRange: range });
      document.fonts.add(await font.load());
    }
  }, files);
}

/** Opens the gallery in a new page, in one font. */
export async function openGallery(context: BrowserContext, url: string): Promise<GalleryPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const whenShown = (query: string): Promise<unknown> =>
    page.waitForFunction((wanted) => document.documentElement.dataset.shown === wanted, query);
  await page.goto(`${url}/gallery?state=loading`);
  await whenShown('?state=loading');
  await addTestFont(page);
  return {
    page,
    complaints,
    async show(name, look = {}) {
      const query = `?${new URLSearchParams({ state: name, font: 'Test', ...look })}`;
      await page.evaluate((next) => {
        // The question before leaving keeps the page where it was.
        scrollTo(0, 0);
        history.pushState(null, '', next);
        dispatchEvent(new PopStateEvent('popstate'));
      }, query);
      await whenShown(query);
    },
  };
}

/** The position of the card, and of the account or receipt in it. */
export const measure = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const root = [...document.querySelectorAll('*')].find(({ shadowRoot }) => shadowRoot)?.shadowRoot;
    const card = root?.querySelector('.card')?.getBoundingClientRect() ?? new DOMRect();
    const first = root?.querySelector('dl > :first-child')?.getBoundingClientRect() ?? new DOMRect();
    const round = Math.round;
    return {
      width: round(card.width),
      height: round(card.height),
      top: round(first.top - card.top),
      firstHeight: round(first.height),
    };
  });
