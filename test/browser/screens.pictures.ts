import { expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { shopper, showLook } from './check-screens.ts';
import { openGallery } from './gallery-page.ts';
import { findMachineGlyphs } from './machine-glyphs.ts';
import { findDifference, nameBrowsers, nameOf, pictures } from './pictures.ts';

it('every pictured screen looks as it was reviewed', async ({ newShopper }) => {
  const gallery = await openGallery(await newShopper(shopper), inject('demoUrl'));
  const found: Record<string, string> = {};
  for (const picture of pictures) {
    await showLook(gallery, picture);
    const difference = await findDifference(gallery.page, picture);
    if (difference !== undefined) found[nameOf(picture)] = difference;
  }
  expect(found, await nameBrowsers(gallery.page)).toEqual({});
});

it('names each character that the machine draws, and leaves the text as it was', async ({ newShopper }) => {
  const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
  // The test font has letters, but no check marks.
  await show('awaitingTransfer', { 'text.sent': 'Sent ✓✓ today' });
  expect(await findMachineGlyphs(page)).toEqual([expect.stringMatching(/^“✓” \(.+\)$/)]);
  await page.getByRole('button', { name: 'Sent ✓✓ today' }).waitFor();
});
