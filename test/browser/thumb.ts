import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A cheap phone whose browser leaves little of the screen to the page. */
export const smallPhone = {
  viewport: { width: 360, height: 560 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
} satisfies BrowserContextOptions;

type Place = { x: number; y: number; width: number; height: number; isInSight: boolean };

/** The first visible element for a selector, also in shadow roots. */
const visible = (page: Page, selector: string): Locator =>
  page.locator(selector).locator('visible=true').first();

/** Where the middle of an element is, and whether all of it is on the screen and nothing lies above its middle. */
const placeOf = (target: Locator): Promise<Place> =>
  target.evaluate((element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const x = left + width / 2;
    const y = top + height / 2;
    const isOnScreen = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    const above = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
    return { x, y, width, height, isInSight: isOnScreen && element.contains(above) };
  });

/** Waits until all of these are in sight, without any scrolling. */
export const untilInSight = (page: Page, ...selectors: readonly string[]): Promise<void> =>
  expect
    .poll(async () => {
      const places = await Promise.all(selectors.map((selector) => placeOf(visible(page, selector))));
      return selectors.filter((_, index) => !places[index]?.isInSight);
    })
    .toEqual([]);
