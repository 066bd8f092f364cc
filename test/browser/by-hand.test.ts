import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { openGallery } from './gallery-page.ts';

const demoUrl = inject('demoUrl');
const number = '[data-field="accountNumber"]';

/** Returns the clipboard after the browser's own keyboard shortcut. */
async function pressCopy(page: Page): Promise<string> {
  await page.keyboard.press('Control+c');
  // The page's clipboard API may be stubbed.
  return page.evaluate(() => Reflect.get(Navigator.prototype, 'clipboard', navigator).readText());
}

describe('copying by hand', () => {
  it('copies only the digits of the account number', async ({ newShopper }) => {
    const context = await newShopper({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, show } = await openGallery(context, demoUrl);
    for (const name of [
      'awaitingTransfer',
      'awaitingTransfer-pressToCopy',
      'awaitingTransfer-long',
      'checking',
    ]) {
      await show(name);
      const box = await page.locator(number).boundingBox();
      if (!box) throw new Error('There is no number.');
      const digits = name.endsWith('long') ? '90123456789012345678' : '9012345678';
      await page.evaluate(() => getSelection()?.removeAllRanges());
      await page.mouse.move(box.x + 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
      await page.mouse.up();
      const dragged = await pressCopy(page);
      await page.evaluate(() => getSelection()?.removeAllRanges());
      await page.locator(number).dblclick({ position: { x: 10, y: 10 } });
      expect({ name, dragged, pressed: await pressCopy(page) }).toEqual({
        name,
        dragged: digits,
        pressed: digits,
      });
    }
  });

  it('copies each word of the list once', async ({ newShopper }) => {
    const context = await newShopper({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, show } = await openGallery(context, demoUrl);
    await show('awaitingTransfer');
    await page.locator('dl').evaluate((list) => getSelection()?.selectAllChildren(list));
    const lines = (await pressCopy(page)).replace(/\u00a0/g, ' ').split('\n');
    expect(lines.filter(Boolean)).toEqual([
      'Account number',
      '9012345678',
      'Bank',
      'Sandbox Bank',
      'Account name',
      'Kola’s Bookshop',
      'Your bank app will show this name.',
      'Amount',
      '₦12,500.00',
    ]);
  });
});
