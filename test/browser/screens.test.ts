import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { checkScreens, otherLooks, shopper } from './check-screens.ts';
import { openGallery } from './gallery-page.ts';
import { pictures } from './pictures.ts';

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

describe('a small phone', () => {
  it('has the main action in sight, and the reference where a sentence names it', async ({ newShopper }) => {
    const size = { width: 360, height: 560 };
    const { page, show } = await openGallery(
      await newShopper({ ...shopper, viewport: size }),
      inject('demoUrl'),
    );
    const found: Record<string, unknown> = {};
    const extra = [
      'awaitingTransfer-days',
      'awaitingTransfer-lost',
      'checking-long',
      'expired-part',
      'expired-part-policy',
      'loading-longStored',
      'unavailable-stored',
    ];
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
});
