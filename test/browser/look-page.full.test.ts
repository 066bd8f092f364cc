import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './browser-test.ts';

/** Opens the page to change the look, and resolves when its preview is measured. */
async function openLook(page: Page, query = ''): Promise<string[]> {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('requestfailed', (request) => complaints.push(request.url()));
  await page.goto(`${inject('demoUrl')}/look${query}`);
  await page.locator('.contrast').waitFor();
  return complaints;
}

const contrastOf = (page: Page): Promise<string> => page.locator('.contrast').innerText();

describe('the page to change the look', () => {
  it.for(
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [360, 1280].map((width) => ({ colorScheme, width })),
    ),
  )('has no barrier and no message in the console: %o', async ({ colorScheme, width }, { newShopper }) => {
    const context = await newShopper({
      viewport: { width, height: 740 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const complaints = await openLook(page, '?line=nocolour');
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    // Every language, screen and control loads or runs something.
    await page.getByLabel('Language').selectOption('ar');
    await page.getByLabel('Screen').selectOption('dedicatedAccount');
    await page.getByLabel('Accent', { exact: true }).fill('gold');
    await page.locator('.card[dir="rtl"]').waitFor();
    await page.getByRole('radio', { name: 'Script tag' }).check();
    expect(await page.locator('pre').innerText()).toContain('--checkout-accent: gold;');
    expect(complaints).toEqual([]);
  });

  it('has the brands, the checkout and the code in the first window of a desktop', async ({ newShopper }) => {
    const page = await (await newShopper({ viewport: { width: 1280, height: 800 } })).newPage();
    await openLook(page);
    const boxes = await Promise.all(
      ['.presets', '.preview-area', '.code'].map((part) => page.locator(part).boundingBox()),
    );
    const [presets, preview, code] = boxes.map((box) => box ?? { x: 0, y: 9999, width: 0, height: 0 });
    for (const box of boxes) expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    expect((presets?.x ?? 0) + (presets?.width ?? 0)).toBeLessThan(preview?.x ?? 0);
    expect((preview?.x ?? 0) + (preview?.width ?? 0)).toBeLessThan(code?.x ?? 0);
  });

  it('keeps a focused field in view on a phone, below the preview', async ({ newShopper }) => {
    const page = await (await newShopper()).newPage();
    await openLook(page);
    await page.getByRole('button', { name: 'Reset everything' }).focus();
    for (let presses = 0; presses < 14; presses++) {
      await page.keyboard.press('Shift+Tab');
      const isInView = await page.evaluate(() => {
        const focused = document.activeElement?.getBoundingClientRect();
        const preview = document.querySelector('.preview')?.getBoundingClientRect();
        return !!focused && !!preview && focused.top >= preview.bottom && focused.bottom <= innerHeight;
      });
      expect(isInView, `after ${presses} presses`).toBe(true);
    }
  });

  it('measures the contrast of what the preview shows', async ({ newShopper }) => {
    const page = await (await newShopper({ colorScheme: 'light' })).newPage();
    // axe computes 2.42:1 for the label of the account number.
    await openLook(page, '?theme=light&accent=gold&background=%23fff8e7&text=%23998866');
    expect(await contrastOf(page)).toBe(
      '“Account number” is hard to read: its contrast is 2.4:1, and 4.5:1 is needed.',
    );
    await page.getByLabel('Text', { exact: true }).fill('#221a00');
    await expect.poll(() => contrastOf(page)).toMatch(/^Readable/);
    await page.getByLabel('Text on the accent', { exact: true }).fill('white');
    await expect.poll(() => contrastOf(page)).toMatch(/^“Copy” is hard to read: its contrast is 1\.\d:1/);
  });

  it('shows the colours in use in the colour pickers', async ({ newShopper }) => {
    const page = await (await newShopper({ colorScheme: 'dark' })).newPage();
    await openLook(page);
    const picker = (label: string): Promise<string> => page.getByLabel(`Pick: ${label}`).inputValue();
    expect(await picker('Accent')).toBe('#5ed0b6');
    expect(await picker('Background')).toBe('#14191f');
    await page.getByRole('radio', { name: 'Light' }).check();
    await expect.poll(() => picker('Accent')).toBe('#0a6b5a');
    expect(await picker('Text on the accent')).toBe('#ffffff');
    await page.getByLabel('Accent', { exact: true }).fill('hsl(0 100% 50%)');
    expect(await picker('Accent')).toBe('#ff0000');
  });

  it('refuses values that would swallow the declarations after them', async ({ newShopper }) => {
    const page = await (await newShopper()).newPage();
    await openLook(page);
    const isRefused = async (label: string, value: string): Promise<boolean> => {
      const field = page.getByLabel(label, { exact: true });
      await field.fill(value);
      return (await field.getAttribute('aria-invalid')) === 'true';
    };
    for (const value of [
      'red /*',
      'rgb(1 2 3',
      'red; top: 2px',
      'red } * { top: 2px',
      'red\\',
      'red !important',
    ])
      expect(await isRefused('Accent', value), value).toBe(true);
    for (const value of ['"Open', "Georgia, 'Open", '1x'])
      expect(await isRefused('Font', value), value).toBe(true);
    for (const value of ['oklch(60% 0.15 150)', 'color-mix(in srgb, red, blue)', '#0008'])
      expect(await isRefused('Accent', value), value).toBe(false);
    expect(await isRefused('Font', '"A, closed; one", serif')).toBe(false);
  });
});
