import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CssValueName, isValidCssValue } from '../../../demo/look/model/css-values.ts';
import { presets } from '../../../demo/look/model/presets.ts';
import { languages } from '../../../src/i18n/languages.ts';
import { settleImports } from '../../settle.ts';
import { openLookPage } from './look-in-process.tsx';

describe('the controls of the page', () => {
  it('set the theme of the preview and of the code', async () => {
    const page = await openLookPage();
    expect(page.card()?.dataset.theme).toBe('auto');
    expect(page.printedOptions()).toEqual({});
    page.choose('Theme', 'Dark');
    await expect.poll(() => page.card()?.dataset.theme).toBe('dark');
    expect(page.area.dataset.theme).toBe('dark');
    expect(page.printedOptions()).toEqual({ appearance: { theme: 'dark' } });
    page.choose('Theme', 'Auto');
    await expect.poll(() => page.card()?.dataset.theme).toBe('auto');
    expect(page.printedOptions()).toEqual({});
  });

  it('set the density of the preview and of the code', async () => {
    const page = await openLookPage();
    page.choose('Density', 'Compact');
    await expect.poll(() => page.card()?.dataset.density).toBe('compact');
    expect(page.printedOptions()).toEqual({ appearance: { density: 'compact' } });
    page.choose('Density', 'Comfortable');
    await expect.poll(() => page.card()?.dataset.density).toBeUndefined();
  });

  it.each([
    ['Accent', 'accent', 'gold'],
    ['Text on the accent', 'on-accent', '#101010'],
    ['Background', 'background', '#fffaf0'],
    ['Text', 'text', 'rgb(20, 20, 20)'],
    ['Lines', 'line', 'silver'],
    ['Success', 'success', 'green'],
    ['Warnings', 'warning', 'crimson'],
    ['Corner radius', 'radius', '4px'],
    ['Buttons', 'button-radius', '99px'],
    ['Fields', 'field-radius', '3px'],
    ['Account panel', 'panel-radius', '2px'],
    ['Border', 'border', '2px solid #111'],
    ['Shadow', 'shadow', '6px 6px 0 #111'],
    ['Font size', 'font-size', '1.125rem'],
    ['Spacing', 'gap', '1em'],
    ['Maximum width', 'max-width', '20em'],
    ['Font', 'font', 'Georgia, serif'],
  ])('set the preview and the code: %s', async (label, name, value) => {
    const page = await openLookPage();
    const card = page.card();
    page.type(label, ` ${value} `);
    await expect.poll(() => page.property(name)).toBe(value);
    expect(page.printedOptions()).toEqual({ appearance: { variables: { [name]: value } } });
    // Nothing that the visitor has opened in the preview is lost.
    expect(page.card()).toBe(card);
    page.press(`Reset: ${label}`);
    await expect.poll(() => page.property(name)).toBe('');
    expect(page.printedOptions()).toEqual({});
    expect(page.field(label).value).toBe('');
    expect(document.activeElement).toBe(page.field(label));
  });

  it('have pickers that set the same values', async () => {
    const page = await openLookPage();
    page.type('Pick: Accent', '#b4532a');
    page.type('Corner radius in pixels', '3');
    await expect.poll(() => page.field('Accent').value).toBe('#b4532a');
    expect(page.field('Corner radius').value).toBe('3px');
    expect(page.printedOptions()).toEqual({
      appearance: { variables: { accent: '#b4532a', radius: '3px' } },
    });
    page.type('Corner radius', '9px');
    await expect.poll(() => page.field('Corner radius in pixels').value).toBe('9');
    page.type('Corner radius', '0');
    await expect.poll(() => page.field('Corner radius in pixels').value).toBe('0');
  });

  it('set the language, and say when nobody has reviewed it', async () => {
    const page = await openLookPage();
    page.select('Language', 'ar');
    await expect.poll(() => page.card()?.dir).toBe('rtl');
    expect(page.printedOptions()).toEqual({ locale: 'ar' });
    expect(page.problemOf('Language')).toMatch('No speaker has reviewed this translation yet.');
    page.select('Language', 'en');
    await expect.poll(() => page.card()?.lang).toBe('en');
    expect(page.field('Language').getAttribute('aria-describedby')).toBeNull();
    const names = [...page.field('Language').querySelectorAll('option')].map((option) => option.textContent);
    expect(names).toEqual([
      'Auto',
      'English',
      ...Object.values(languages).map(({ name, reviewedBy }) =>
        reviewedBy === null ? `${name} – not reviewed yet` : name,
      ),
    ]);
  });

  it.each([
    [/^Below the amount/, 'transferLead', 'awaitingTransfer'],
    [/^Button after/, 'sent', 'awaitingTransfer'],
    [/^Link to the shop/, 'backToShop', 'awaitingTransfer'],
    [/^After the payment/, 'succeededLead', 'succeeded'],
    [/late money/, 'latePolicy', 'receivedLate'],
    [/money to return/, 'refundPolicy', 'failed'],
  ])('set the text %s, on a screen that contains it', async (label, key, screen) => {
    const page = await openLookPage('?state=loading');
    await expect.poll(() => page.field(label).placeholder).not.toBe('');
    page.type(label, 'A text of ours');
    await page.untilShown('A text of ours');
    expect(page.field('Screen').value).toBe(screen);
    expect(page.printedOptions()).toEqual({ text: { [key]: 'A text of ours' } });
    const usual = page.field(label).placeholder;
    page.type(label, '');
    await page.untilShown(usual);
    expect(page.printedOptions()).toEqual({});
  });

  it('show the default texts of the language', async () => {
    const page = await openLookPage('?locale=fr');
    await expect.poll(() => page.field(/^Button after/).placeholder).toBe('J’ai envoyé l’argent');
  });

  it('choose the screen, which is not an option', async () => {
    const page = await openLookPage();
    for (const { value } of page.field('Screen').querySelectorAll('option')) {
      page.select('Screen', value);
      const heading = () => page.root()?.querySelector('h2')?.textContent;
      await expect.poll(() => page.field('Screen').value).toBe(value);
      await expect.poll(heading).toBeTruthy();
      if (value !== 'dedicatedAccount') await expect.poll(() => page.card()?.dataset.state).toBe(value);
      else await page.untilShown('Your account number');
    }
    expect(page.printedOptions()).toEqual({});
  });

  it('apply a brand, which replaces what was chosen before', async () => {
    const page = await openLookPage('?accent=gold&font-size=2rem&locale=fr');
    page.press('Midnight');
    await expect.poll(() => page.card()?.dataset.theme).toBe('dark');
    expect(page.property('accent')).toBe('#8b7dff');
    expect(page.property('font-size')).toBe('');
    expect(page.printedOptions().locale).toBe('fr');
  });

  it.each(presets)('apply the brand $name, whose values are all valid', async ({ variables }) => {
    await openLookPage();
    const isValid = ([name, value]: [string, string]) => isValidCssValue(name as CssValueName, value);
    expect(Object.entries(variables).filter((entry) => !isValid(entry))).toEqual([]);
  });

  it('are all reset by one button', async () => {
    const page = await openLookPage(
      '?state=expired&theme=dark&density=compact&locale=ha&accent=gold&line=x&text.sent=Done',
    );
    page.press('Reset everything');
    await expect.poll(() => page.printedOptions()).toEqual({});
    expect(page.field('Accent').value).toBe('');
    expect(page.field('Lines').value).toBe('');
    expect(page.field('Screen').value).toBe('expired');
    await expect.poll(() => page.card()?.dataset.theme).toBe('auto');
  });
});

describe('an invalid value', () => {
  it.each([
    ['Accent', 'nocolour', 'Write a colour such as'],
    ['Accent', 'inherit', 'Write a colour such as'],
    ['Accent', 'var(--brand)', 'Write a colour such as'],
    ['Background', 'red; display: none', 'Write a colour such as'],
    ['Text', 'red } * { display: none', 'Write a colour such as'],
    ['Lines', 'red /*', 'Write a colour such as'],
    ['Lines', 'red !important', 'Write a colour such as'],
    ['Corner radius', 'round', 'Write a length such as'],
  ])('is explained, and not taken: for %s, %s', async (label, value, message) => {
    const page = await openLookPage();
    expect(page.field(label).getAttribute('aria-invalid')).toBe('false');
    page.type(label, value);
    await expect.poll(() => page.field(label).getAttribute('aria-invalid')).toBe('true');
    expect(page.problemOf(label)).toContain(message);
    expect(page.field(label).value).toBe(value);
    expect(page.printedOptions()).toEqual({});
  });

  it('leaves the last valid one in the preview, the code and the address', async () => {
    const page = await openLookPage('?accent=gold');
    page.type('Accent', 'goldd');
    await expect.poll(() => page.problemOf('Accent')).toContain('keeps the last valid value');
    expect(page.property('accent')).toBe('gold');
    expect(page.printedOptions()).toEqual({ appearance: { variables: { accent: 'gold' } } });
    page.type('Font', 'Georgia');
    await expect.poll(() => location.search).toBe('?accent=gold&font=Georgia');
    page.type('Accent', 'goldenrod');
    await expect.poll(() => page.property('accent')).toBe('goldenrod');
    expect(page.problemOf('Accent')).toContain('Any colour works');
  });

  it('is explained when it comes from the address as well', async () => {
    const page = await openLookPage(
      '?accent=nocolour&theme=pink&locale=xx&state=nowhere&height=9em&text.nothing=x',
    );
    expect(page.field('Accent').value).toBe('nocolour');
    expect(page.problemOf('Accent')).toContain('Not valid');
    expect(page.printedOptions()).toEqual({});
    expect(page.field('Screen').value).toBe('awaitingTransfer');
  });
});

describe('the address', () => {
  it('contains the look, so that a reload shows the same', async () => {
    const page = await openLookPage();
    page.choose('Theme', 'Dark');
    page.choose('Density', 'Compact');
    page.select('Language', 'pcm');
    page.type('Accent', '#b4532a');
    page.type('Font', 'Georgia, serif');
    page.type(/money to return/, 'We send it back & say “sorry”.');
    await expect.poll(() => location.search).toContain('text.refundPolicy');
    expect(location.pathname).toBe('/some/where/look.html');
    const printed = page.printedOptions();
    const shown = page.area.style.cssText;
    const again = await openLookPage(location.search);
    expect(again.printedOptions()).toEqual(printed);
    expect(again.area.style.cssText).toBe(shown);
    expect(again.field('Screen').value).toBe('failed');
    await again.untilShown('We send it back & say “sorry”.');
    expect(again.card()?.dataset.theme).toBe('dark');
    expect(again.card()?.lang).toBe('pcm');
  });

  it('is without a query while nothing is changed', async () => {
    const page = await openLookPage('?accent=gold');
    page.press('Reset: Accent');
    await expect.poll(() => location.href).toMatch(/look\.html$/);
  });

  it('can be opened in the gallery, alone and at full size', async () => {
    const page = await openLookPage('?state=expired&accent=gold&text.expiredLead=x');
    const link = page.container.querySelector<HTMLAnchorElement>('.bar a');
    const { readSingle } = await import('../../../demo/gallery/query.ts');
    page.type(/money to return/, 'Ask us.');
    await expect.poll(() => link?.getAttribute('href')).toMatch(/^\.\/gallery\.html\?state=failed&/);
    const query = new URL(link?.href ?? '').search;
    expect(readSingle(query)).toMatchObject({
      screen: { name: 'failed' },
      look: {
        theme: 'auto',
        locale: 'en',
        variables: { '--checkout-accent': 'gold' },
        text: { refundPolicy: 'Ask us.' },
      },
    });
  });
});

describe('copying the code', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('reports success only when it is copied, and until the code changes', async () => {
    const page = await openLookPage();
    let finish = (): void => {};
    const writeText = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    page.press('Copy');
    expect(writeText).toHaveBeenCalledWith(page.code());
    expect(page.container.querySelector('.copy')?.textContent).toBe('Copy');
    finish();
    await expect.poll(() => page.container.querySelector('.copy button')?.textContent).toBe('Copied');
    expect(page.container.querySelector('.copy [role="status"]')?.textContent).toBe('The code is copied.');
    page.choose('Theme', 'Dark');
    await expect.poll(() => page.container.querySelector('.copy')?.textContent).toBe('Copy');
  });

  it('says so when the browser refuses, with the code selected', async () => {
    const page = await openLookPage();
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: () => Promise.reject(new Error('refused')) },
    });
    page.press('Copy');
    await expect
      .poll(() => page.container.querySelector('.copy')?.textContent)
      .toContain('The browser did not allow copying.');
    expect(`${getSelection()}`.trim()).toBe(page.code().trim());
  });
});

describe('the preview', () => {
  it('does not follow the links of its shop', async () => {
    const page = await openLookPage();
    const link = page.root()?.querySelector<HTMLElement>('[data-action="back"]');
    const event = new MouseEvent('click', { bubbles: true, composed: true, cancelable: true });
    link?.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
    // The checkout would ask whether to leave, and then go.
    await settleImports();
    expect(page.root()?.querySelector('.leave')).toBeNull();
  });
});
