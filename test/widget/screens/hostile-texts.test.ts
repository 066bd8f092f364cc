import { describe, expect, it } from 'vitest';
import { en } from '../../../src/i18n/en.ts';
import { loadMessages } from '../../../src/i18n/languages.ts';
import type { Settings } from '../../../src/options/options.ts';
import { policyKeys } from '../../../src/widget/description/explanation.ts';
import { everyState } from '../model/states.ts';
import { show } from '../show.ts';

/** Markup, characters that turn what follows around, and 10,000 letters. */
const hostile = (name: string): string =>
  `${name}<x-hostile></x-hostile><img src="x" onerror="alert()">&lt;\u202e\u2067${'W'.repeat(10_000)}`;

const account = { number: '9012345678', name: hostile('account'), bankName: hostile('bank') };
const outside: Settings = {
  merchantName: hostile('shop'),
  supportEmail: 'help@shop.example',
  returnUrl: 'https://shop.example/',
  shareDetails: true,
  ussd: [{ bank: hostile('ussd'), template: '*737*1*{amount}*{account}#' }],
};
const custom: Settings = {
  refundTime: hostile('refundTime'),
  text: Object.fromEntries([...Object.keys(en), ...policyKeys].map((key) => [key, hostile(key)])),
};

/** Elements that isolate the direction of their text, in browsers' own style sheets. */
const isolating = 'bdi, [dir], address, blockquote, button, dd, div, dl, dt, h2, li, p, summary, ul';

const hasPayment = everyState.map((state) =>
  'payment' in state
    ? { ...state, payment: { ...state.payment, reference: hostile('reference'), account } }
    : state,
);

/** Returns the texts of a root that have `<x-hostile>`, with all of the text that could be turned around with them. */
function hostileTexts(root: ShadowRoot): { text: string; isolated: string }[] {
  expect(root.querySelector('x-hostile, [onerror]')).toBeNull();
  const found = [...root.querySelectorAll('*')].flatMap(({ childNodes }) =>
    [...childNodes].filter(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.includes('<x-hostile>')),
  );
  return found.map((node) => ({
    text: `${node.nodeValue}`,
    isolated: `${node.parentElement?.closest(isolating)?.textContent}`,
  }));
}

describe('texts with markup, changes of direction and 10,000 letters', { timeout: 120_000 }, () => {
  it.each(['en', 'ar'])(
    'are shown as texts, and turn around nothing else, in every state: %s',
    async (tag) => {
      const messages = await loadMessages(tag);
      const names = new Set<string>();
      for (const state of hasPayment) {
        const { root, localization, settle } = await show(state, outside);
        if (messages) localization.setLanguage(tag, messages);
        await settle();
        for (const { text, isolated } of hostileTexts(root)) {
          names.add(text.replace(/<.*/, ''));
          expect(isolated.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        }
      }
      expect([...names].sort()).toEqual(['account', 'bank', 'reference', 'shop', 'ussd']);
    },
  );

  it('are shown as texts when they are the merchant’s', async () => {
    const messages = await loadMessages('ar');
    const names = new Set<string>();
    for (const state of hasPayment) {
      const { root, localization, settle } = await show(state, { ...outside, ...custom });
      if (messages) localization.setLanguage('ar', messages);
      await settle();
      for (const { text } of hostileTexts(root)) names.add(text.replace(/<.*/, ''));
    }
    expect(names.size).toBeGreaterThan(50);
  });
});
