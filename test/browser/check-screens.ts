import type { BrowserContextOptions, Page } from 'playwright-core';
import { findViolations } from './axe.ts';
import { type GalleryPage, measure } from './gallery-page.ts';
import { findDifference, pictures } from './pictures.ts';

const height = 640;

export const shopper: BrowserContextOptions = {
  viewport: { width: 360, height },
  timezoneId: 'Africa/Lagos',
  locale: 'en-GB',
};

/** The screens with a picture of their own. */
export const pictured: readonly string[] = pictures
  .filter((picture) => Object.keys(picture).length === 1)
  .map(({ name }) => name);

/** The pictures of screens in another theme, locale or width. */
export const otherLooks = pictures.filter((picture) => Object.keys(picture).length > 1);

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

/** Returns every button and link that the Tab key reaches before one above it, or to the left of it in its line. */
const findDisorder = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('main > div')?.shadowRoot;
    const reached = [
      ...(root?.querySelectorAll('.content:not([inert]) :is(button, a, summary)') ?? []),
    ].filter((one) => one.checkVisibility());
    const places = reached.map((one) => one.getBoundingClientRect());
    return reached
      .filter((_, index) => {
        const [here, next] = [places[index], places[index + 1]];
        if (!here || !next) return false;
        const middle = next.top + next.height / 2;
        return middle < here.top || (middle < here.bottom && next.right <= here.left);
      })
      .map(({ textContent }) => textContent ?? '');
  });

/** Returns what does not fit into 320 px, and targets too small for a thumb. */
export async function findMisfits(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const small = (await findTargets(page)).filter((target) => Math.min(target.width, target.height) < 44);
  return [...(width === 320 ? [] : [`${width} px wide`]), ...small.map((target) => JSON.stringify(target))];
}

/** Shows screens, and returns where their parts are, and what is wrong: axe's violations, a picture that differs, an order, and what does not fit. */
export async function checkScreens({ page, show }: GalleryPage, names: readonly string[]) {
  const places: Record<string, object> = {};
  const found: Record<string, unknown> = {};
  for (const name of names) {
    await page.setViewportSize({ width: 360, height });
    await show(name);
    const sent = await page
      .locator('[data-action="sent"]')
      .evaluateAll(([button]) => button && button.getBoundingClientRect().y + scrollY);
    places[name] = { ...(await measure(page)), sent };
    const difference = pictured.includes(name) ? await findDifference(page, { name }) : undefined;
    const violations = await findViolations(page);
    const disorder = await findDisorder(page);
    const misfits = await findMisfits(page);
    if (difference || [violations, disorder, misfits].some(({ length }) => length > 0))
      found[name] = { difference, violations, disorder, misfits };
  }
  return { places, found };
}

/** Shows the pictures of other themes, locales and widths, and returns which differ. */
export async function checkLooks(
  { page, show }: GalleryPage,
  looks: typeof pictures,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const picture of looks) {
    const { name, width = 360, ...look } = picture;
    await page.setViewportSize({ width, height });
    await show(name, look);
    const difference = await findDifference(page, picture);
    if (difference !== undefined) found[JSON.stringify(picture)] = difference;
  }
  return found;
}
