import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { openGallery } from './gallery-page.ts';

describe('the QR code', () => {
  it('is offered for an account on a wide screen only, and for a link on a phone as well', async ({
    newShopper,
  }) => {
    const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
    const offered = async (name: string, width: number): Promise<boolean> => {
      await page.setViewportSize({ width, height: 740 });
      await show(name);
      return page.locator('[data-action="qr"]').isVisible();
    };
    expect(await offered('awaitingTransfer', 360)).toBe(false);
    expect(await offered('awaitingTransfer', 1280)).toBe(true);
    expect(await offered('awaitingTransfer-qr', 360)).toBe(true);
  });
});

/** Returns a style of the first element for a selector, or of its pseudo-element, as the browser has computed it. */
const styleOf = (
  page: Page,
  selector: string,
  property: 'backgroundColor' | 'borderColor' | 'borderTopStyle' | 'color' | 'overflow' | 'stroke',
  pseudo?: string,
): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, [name, part]) => getComputedStyle(element, part)[name], [property, pseudo] as const);

/** Returns the WCAG contrast of an element's text with its background. */
const contrastOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate((wanted) => {
    const root = document.querySelector('main > div')?.shadowRoot;
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const element = root?.querySelector(wanted);
    if (!element || !context) throw new Error(`There is no ${wanted}.`);
    const grounds: string[] = [];
    let opacity = 1;
    for (let now: Element | null = element; now; now = now.parentElement) {
      const style = getComputedStyle(now);
      grounds.unshift(style.backgroundColor);
      opacity *= Number(style.opacity);
    }
    const luminance = (): number => {
      const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
        const part = byte / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paint = (color: string): void => {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    };
    grounds.forEach(paint);
    const below = luminance();
    context.globalAlpha = opacity;
    paint(getComputedStyle(element).color);
    const above = luminance();
    return (Math.max(above, below) + 0.05) / (Math.min(above, below) + 0.05);
  }, selector);

describe('the contrast of text', () => {
  const accents = ['', 'gold', 'black', 'white', 'lime', 'blue', '#767676'];

  it.for(['light', 'dark'])(
    'is high enough with any accent of a merchant: %s',
    async (theme, { newShopper }) => {
      const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
      const texts = {
        awaitingTransfer: [
          '.accountNumber button',
          '.amount button',
          '[data-action="sent"]',
          '[data-action="help"]',
          'h2',
          '.top p',
          'dt',
          '.time span',
          '.status p',
          '.foot',
        ],
        'awaitingTransfer-test': ['.test'],
        'awaitingTransfer-pressToCopy': ['.accountNumber button'],
        'awaitingTransfer-offline': ['.status b'],
        expired: ['[data-action="sent"]', '.leads p'],
      };
      const poor: string[] = [];
      for (const [name, selectors] of Object.entries(texts)) {
        await show(name, { theme });
        for (const accent of accents) {
          await page.evaluate((value) => {
            document.documentElement.style.setProperty('--checkout-accent', value);
          }, accent);
          for (const selector of selectors) {
            const contrast = await contrastOf(page, selector);
            if (contrast < 4.5) poor.push(`${accent} ${name} ${selector}: ${contrast.toFixed(2)}`);
          }
        }
      }
      expect(poor).toEqual([]);
      // Filled buttons keep the merchant's colour.
      await show('awaitingTransfer', { theme, accent: 'gold' });
      if (theme === 'light')
        expect(await styleOf(page, '.accountNumber button', 'backgroundColor')).toBe('rgb(255, 215, 0)');
    },
  );
});

it('the page that sets a look warns of a bar that is hard to see on its track', async ({ newShopper }) => {
  const page = await (await newShopper()).newPage();
  await page.goto(`${inject('demoUrl')}/look.html?state=partlyPaid&theme=light`);
  const contrast = page.locator('.contrast');
  await contrast.getByText('Readable').waitFor();
  await page.getByLabel('Text', { exact: true }).fill('#fff');
  await page.getByLabel('Background', { exact: true }).fill('#333');
  await contrast.getByText(/The bar of what has arrived.*3:1 is needed/).waitFor();
});

describe('a checkout on an unusual page', () => {
  it('shows every meaningful border and icon with forced colours', async ({ newShopper }) => {
    const { page, show } = await openGallery(await newShopper({ forcedColors: 'active' }), inject('demoUrl'));
    await show('awaitingTransfer');
    const borderOf = (selector: string) => styleOf(page, selector, 'borderTopStyle');
    for (const selector of ['.accountNumber', '.accountNumber button', '[data-action="sent"]', '.bar'])
      expect({ selector, border: await borderOf(selector) }).toEqual({ selector, border: 'solid' });
    // The label of the amount's button does not touch its edge.
    const space = await page.locator('.amount button').evaluate((button) => {
      const label = document.createRange();
      label.selectNodeContents(button);
      return button.getBoundingClientRect().right - label.getBoundingClientRect().right;
    });
    expect(space).toBeGreaterThanOrEqual(4);
    expect(await styleOf(page, '.bar i', 'backgroundColor')).not.toBe('rgba(0, 0, 0, 0)');
    expect(await page.locator('.bar i').evaluate((bar) => bar.clientWidth)).toBeGreaterThan(0);
    for (const [name, ...selectors] of [
      ['awaitingTransfer-test', '.test', '.links button'],
      ['awaitingTransfer-everything', '.links summary'],
      ['awaitingTransfer-leaving', '.leave > div'],
      ['partlyPaid', 'progress'],
      ['succeeded', 'a.main', '.links button', '.row button'],
    ] as const) {
      await show(name);
      for (const selector of selectors)
        expect({ name, selector, border: await borderOf(selector) }).toMatchObject({ border: 'solid' });
    }
    // In the system's colour, which the page's own warning colour may not differ from.
    for (const [name, selector, pseudo] of [
      ['awaitingTransfer-lastMinute', '.bar i'],
      ['awaitingTransfer-offline', '.status b', '::before'],
    ] as const) {
      await show(name);
      expect(await styleOf(page, selector, 'backgroundColor', pseudo), name).toBe('rgb(0, 0, 0)');
    }
    // The moving part of the circle differs from the rest.
    await show('confirming');
    const circle = await styleOf(page, '.top', 'borderColor', '::before');
    expect(new Set(circle.split(') ')).size).toBeGreaterThan(1);
    for (const name of ['failed', 'succeeded', 'checking']) {
      await show(name);
      expect(await styleOf(page, '.icon', 'stroke'), name).toEqual(await styleOf(page, 'h2', 'color'));
      // The circle is not cut off.
      expect(await styleOf(page, '.icon', 'overflow')).toBe('visible');
    }
  });

  it('shows in print only the receipt, dark on white, with any theme and accent', async ({ newShopper }) => {
    const { page, show } = await openGallery(await newShopper(), inject('demoUrl'));
    await show('succeeded', { theme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.received').isVisible()).toBe(true);
    expect(await page.locator('[data-field="reference"]').isVisible()).toBe(true);
    expect(await page.locator('a, button').filter({ visible: true }).count()).toBe(0);
    expect(await styleOf(page, '.card', 'backgroundColor')).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ media: 'screen' });

    const texts = {
      'succeeded-test': ['h2', 'dt', 'dd', '.test'],
      expired: ['h2', '.leads p', '.foot'],
    };
    for (const [name, selectors] of Object.entries(texts)) {
      await show(name, { theme: 'dark', accent: 'gold' });
      await page.emulateMedia({ media: 'print' });
      for (const selector of selectors) {
        const contrast = await contrastOf(page, selector);
        expect(contrast, `${name} ${selector}`).toBeGreaterThan(7);
      }
      const drawn = await page
        .locator('.icon')
        .evaluate((icon) => [
          getComputedStyle(icon).stroke,
          getComputedStyle(icon.children[0] as Element).fill,
        ]);
      expect(drawn.sort()).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      await page.emulateMedia({ media: 'screen' });
    }
  });

  it('has no animation with reduced motion', async ({ newShopper }) => {
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      const { page, show } = await openGallery(await newShopper({ reducedMotion }), inject('demoUrl'));
      // A checkout that waits for the transfer is still.
      for (const name of ['loading-stillTrying', 'confirming']) {
        await show(name);
        const moving = await page.evaluate(
          () => (document.querySelector('main > div')?.shadowRoot?.getAnimations().length ?? 0) > 0,
        );
        expect(moving, name).toEqual(reducedMotion === 'no-preference');
      }
    }
  });
});
