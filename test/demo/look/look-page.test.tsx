import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CssValueName, isValidCssValue } from '../../../demo/look/model/css-values.ts';
import { presets } from '../../../demo/look/model/presets.ts';
import { settleImports } from '../../settle.ts';
import { openLookPage } from './look-in-process.tsx';

afterEach(() => vi.unstubAllGlobals());

describe('the page that sets a look', () => {
  it('shows each choice in the preview, the code and the address, and again after a reload', async () => {
    const page = await openLookPage();
    expect(page.printedOptions()).toEqual({});
    page.choose('Theme', 'Dark');
    page.choose('Density', 'Compact');
    page.select('Language', 'pcm');
    page.type('Accent', ' #b4532a ');
    page.type('Corner radius in pixels', '3');
    page.type('Font', 'Georgia, serif');
    page.type(/money to return/, 'We send it back & say “sorry”.');
    await page.untilShown('We send it back & say “sorry”.');
    const { theme, density } = page.card()?.dataset ?? {};
    expect([theme, density, page.card()?.lang]).toEqual(['dark', 'compact', 'pcm']);
    expect(page.property('accent')).toBe('#b4532a');
    const printed = page.printedOptions();
    expect(printed).toEqual({
      appearance: {
        theme: 'dark',
        density: 'compact',
        variables: { accent: '#b4532a', radius: '3px', font: 'Georgia, serif' },
      },
      locale: 'pcm',
      text: { refundPolicy: 'We send it back & say “sorry”.' },
    });
    await expect.poll(() => location.search).toContain('text.refundPolicy');
    const link = page.container.querySelector<HTMLAnchorElement>('.bar a');
    const { readSingle } = await import('../../../demo/gallery/query.ts');
    expect(readSingle(new URL(link?.href ?? '').search)).toMatchObject({
      screen: { name: 'failed' },
      look: { theme: 'dark', locale: 'pcm', variables: { '--checkout-accent': '#b4532a' } },
    });

    const again = await openLookPage(location.search);
    expect(again.printedOptions()).toEqual(printed);
    expect(again.field('Screen').value).toBe('failed');
    again.press('Reset: Accent');
    await expect.poll(() => again.property('accent')).toBe('');
    again.press('Reset everything');
    await expect.poll(() => again.printedOptions()).toEqual({});
    await expect.poll(() => again.card()?.dataset.theme).toBe('auto');
  });

  it('keeps the last valid value, and explains the one that is not', async () => {
    const page = await openLookPage('?accent=gold');
    page.type('Accent', 'red; display: none');
    await expect.poll(() => page.field('Accent').getAttribute('aria-invalid')).toBe('true');
    expect(page.problemOf('Accent')).toContain('Write a colour such as');
    expect(page.property('accent')).toBe('gold');
    expect(page.printedOptions()).toEqual({ appearance: { variables: { accent: 'gold' } } });
    page.type('Accent', 'goldenrod');
    await expect.poll(() => page.property('accent')).toBe('goldenrod');
  });

  it.each(presets)('applies the brand $name, whose values are all valid', async ({ name, variables }) => {
    const page = await openLookPage('?font-size=2rem&locale=fr');
    page.press(name);
    await expect.poll(() => page.property('accent')).toBe(variables.accent ?? '');
    expect(page.property('font-size')).toBe(variables['font-size'] ?? '');
    expect(page.printedOptions().locale).toBe('fr');
    const isValid = ([key, value]: [string, string]) => isValidCssValue(key as CssValueName, value);
    expect(Object.entries(variables).filter((entry) => !isValid(entry))).toEqual([]);
  });

  it('chooses the screen, which is not an option, and follows no link of it', async () => {
    const page = await openLookPage('?state=succeeded');
    const link = page.root()?.querySelector<HTMLElement>('[data-action="back"]');
    const event = new MouseEvent('click', { bubbles: true, composed: true, cancelable: true });
    link?.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
    await settleImports();
    for (const { value } of page.field('Screen').querySelectorAll('option')) {
      page.select('Screen', value);
      if (value !== 'dedicatedAccount') await expect.poll(() => page.card()?.dataset.state).toBe(value);
      else await page.untilShown('Your account number');
    }
    expect(page.printedOptions()).toEqual({});
  });

  it('copies the code, and says when the browser refuses', async () => {
    const page = await openLookPage();
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    page.press('Copy');
    await expect.poll(() => page.container.querySelector('.copy button')?.textContent).toBe('Copied');
    expect(writeText).toHaveBeenCalledWith(page.code());
    page.choose('Theme', 'Dark');
    const copy = () => page.container.querySelector('.copy')?.textContent;
    await expect.poll(copy).toBe('Copy');
    writeText.mockRejectedValue(new Error('refused'));
    page.press('Copy');
    await expect.poll(copy).toContain('The browser did not allow copying.');
    expect(`${getSelection()}`.trim()).toBe(page.code().trim());
  });
});
