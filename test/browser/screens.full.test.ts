import { describe, expect, inject } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';
import { checkScreens, findMisfits, otherLooks, shopper } from './check-screens.ts';
import { openGallery, screens } from './gallery-page.ts';

/** Screens on which the account and the button keep their position. */
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
  'partlyPaid',
];

const names = screens.map(({ name }) => name);

describe('every screen of the gallery', () => {
  it('passes axe, has its buttons in the order of the Tab key, its parts beside each other in the colours of the card, does not move, and fits into 320 px', async ({
    newShopper,
  }) => {
    const gallery = await openGallery(await newShopper(shopper), inject('demoUrl'));
    const { places, found } = await checkScreens(gallery, [
      ...names.map((name) => ({ name })),
      ...otherLooks,
    ]);
    expect(found).toEqual({});
    expect(gallery.complaints).toEqual([]);
    // The card is as high as what it holds.
    for (const name of still)
      expect({ name, ...places[name], height: 0 }).toEqual({ name, ...places.awaitingTransfer, height: 0 });
  });

  it('has enough contrast in the dark theme, and fits when compact', async ({ newShopper }) => {
    const { page, show } = await openGallery(await newShopper(shopper), inject('demoUrl'));
    const found: Record<string, unknown> = {};
    for (const name of names) {
      await show(name, { theme: 'dark', density: 'compact' });
      const misfits = await findMisfits(page);
      // Of axe's rules, only those on colour depend on the theme.
      const violations = await findViolations(page, ['color-contrast']);
      if (violations.length > 0 || misfits.length > 0) found[name] = { violations, misfits };
    }
    expect(found).toEqual({});
  });
});
