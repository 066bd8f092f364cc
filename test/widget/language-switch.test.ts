import { describe, expect, it } from 'vitest';
import { show, shown } from './show.ts';

describe('the language switch', () => {
  it('keeps its element when the texts change, so that it keeps the focus', async () => {
    const { screen, localization, settle } = await show(shown('succeeded'), { locale: 'en ha' });
    const select = screen.getByRole<HTMLSelectElement>('combobox');
    localization.setLanguage('ha', { language: 'Harshe' });
    await settle();
    expect(screen.getByRole('combobox', { name: 'Harshe' })).toBe(select);
    expect(select.value).toBe('ha');
  });

  it('shows the language in use again when the selected one could not be loaded', async () => {
    const { screen, localization, settle } = await show(shown('succeeded'), { locale: 'en ha' });
    const select = screen.getByRole<HTMLSelectElement>('combobox');
    select.value = 'ha';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await settle();
    localization.setLanguage('en', {});
    await settle();
    expect(select.value).toBe('en');
  });

  it('is missing where only one language is possible', async () => {
    for (const locale of ['auto', 'fr', ['fr']]) {
      const { screen } = await show(shown('awaitingTransfer'), { locale });
      expect(screen.queryByRole('combobox')).toBeNull();
    }
  });
});
