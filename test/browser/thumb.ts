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

/** Taps an element with a thumb, at its middle; scrolls to it before, if needed. It must be large enough for a thumb. */
async function tap(page: Page, selector: string): Promise<void> {
  const target = visible(page, selector);
  let last = await placeOf(target);
  await expect
    .poll(async () => {
      const { x, y } = last;
      last = await placeOf(target);
      const isStill = last.x === x && last.y === y;
      if (isStill && !last.isInSight) await swipe(page, last.y - smallPhone.viewport.height / 2);
      return isStill && last.isInSight;
    })
    .toBe(true);
  expect(Math.min(last.width, last.height)).toBeGreaterThanOrEqual(44);
  await page.touchscreen.tap(last.x, last.y);
}

/** Scrolls down by about this many pixels, or up by a negative number, with a finger at the edge of the screen. */
async function swipe(page: Page, distance: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const x = 8;
  const start = distance > 0 ? 440 : 120;
  const end = start - Math.sign(distance) * Math.min(300, Math.max(60, Math.abs(distance)));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: start }] });
  for (const share of [0.25, 0.5, 0.75, 1, 1, 1]) {
    const y = start + (end - start) * share;
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
