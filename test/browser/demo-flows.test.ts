import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from './browser-test.ts';
import { desktop, openPaying, phone, press } from './landing-page.ts';

declare global {
  interface Window {
    /** What moved in the page around the checkout. */
    pageMoves: Set<string>;
  }
}

/**
 * From now on, every move in the page is noted, also one right after a press. Inside the checkout, the lines of one state follow those
 * of another; it counts as one box here, and no layout shift names a node of its shadow tree.
 */
const watchMoves = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.pageMoves = new Set();
    const nameOf = (node: Node): string => (node instanceof Element ? node.outerHTML : `${node.nodeValue}`);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources } = entry as unknown as { sources: readonly { node: Node | null }[] };
        for (const { node } of sources) if (node) window.pageMoves.add(nameOf(node).slice(0, 80));
      }
    }).observe({ type: 'layout-shift' });
    const boxes = [...document.querySelectorAll('main > *, .bank')];
    const placeOf = (box: Element): string => {
      const { x, y, width } = box.getBoundingClientRect();
      return [x, y + scrollY, width, box.id === 'checkout' && box.clientHeight].join();
    };
    const places = boxes
      .filter((box) => getComputedStyle(box).position !== 'fixed')
      .map((box) => [box, placeOf(box)] as const);
    const look = (): void => {
      for (const [box, place] of places)
        if (placeOf(box) !== place) window.pageMoves.add(`${box.className}#${box.id}`);
      requestAnimationFrame(look);
    };
    look();
  });

/** The taps in the bank app, each with the state that the checkout shows then. */
const flows = [
  ['less, and then the rest, on a desktop', desktop, ['less', 'partlyPaid'], ['exactly', 'succeeded']],
  ['less, and then the rest, on a phone', phone, ['less', 'partlyPaid'], ['exactly', 'succeeded']],
  ['late, on a phone', phone, ['late', 'receivedLate']],
] as const;

describe('the demo while the shopper pays', () => {
  it.for(flows)(
    'moves nothing when the money is sent %s',
    async ([, options, ...taps], { newShopper, startOwnDemo }) => {
      const { page, untilState } = await openPaying(await newShopper(options), await startOwnDemo());
      await page.locator('.activity-toggle').waitFor();
      await watchMoves(page);
      for (const [tap, state] of taps) {
        await press(page, `send-${tap}`);
        await untilState(state);
      }
      // Layout shifts are reported a frame later.
      await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))));
      expect(await page.evaluate(() => [...window.pageMoves])).toEqual([]);
    },
  );
});
