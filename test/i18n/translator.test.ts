import { describe, expect, it } from 'vitest';
import { createLocalization, type Translate } from '../../src/i18n/translator.ts';

describe('the translator', () => {
  it('uses the merchant’s texts where there are some, and ours elsewhere', () => {
    const { text } = createLocalization({ text: { waiting: 'Hold on' } }).translator.value;
    expect([text('waiting'), text('bankName')]).toEqual(['Hold on', 'Bank']);
  });

  it('uses the merchant’s text for the language, or else for English, or else ours', () => {
    const localization = createLocalization({
      text: { waiting: { en: 'Hold on', fr: 'Patience' }, copy: { yo: 'Daakọ' } },
    });
    const text: Translate = (key, values) => localization.translator.value.text(key, values);
    expect([text('waiting'), text('copy')]).toEqual(['Hold on', 'Copy']);
    localization.setLanguage('fr-CA', {});
    expect(text('waiting')).toBe('Patience');
    localization.setLanguage('yo', {});
    expect([text('waiting'), text('copy')]).toEqual(['Hold on', 'Daakọ']);
    localization.setLanguage('valueOf', {});
    expect([text('waiting'), text('copy')]).toEqual(['Hold on', 'Copy']);
  });

  it('inserts values literally, even ones that look like replacement patterns', () => {
    const { text } = createLocalization({ text: { transferTitle: 'Pay {amount} ({amount}) {nothing}' } })
      .translator.value;
    expect(text('transferTitle', { amount: '$& $1' })).toBe('Pay $& $1 ($& $1) {nothing}');
  });

  it('shows no English while another language loads', () => {
    const localization = createLocalization({});
    const text: Translate = (key, values) => localization.translator.value.text(key, values);
    localization.setLanguage('fr', undefined);
    expect([text('copy'), text('showQr')]).toEqual(['', '']);
    localization.setLanguage('fr', { copy: 'Copier' });
    expect([text('copy'), text('copied'), text('showQr')]).toEqual(['Copier', 'Copied', 'Show QR code']);
  });
});
