import { expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { openGallery } from './gallery-page.ts';
import { findMachineGlyphs } from './machine-glyphs.ts';

it('names each character that the machine draws, and leaves the text as it was', async ({ newShopper }) => {
  const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
  // The test font has letters, but no check marks.
  await show('awaitingTransfer', { 'text.sent': 'Sent ✓✓ today' });
  expect(await findMachineGlyphs(page)).toEqual([expect.stringMatching(/^“✓” \(.+\)$/)]);
  await page.getByRole('button', { name: 'Sent ✓✓ today' }).waitFor();
});
