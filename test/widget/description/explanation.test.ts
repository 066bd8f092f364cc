import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../src/contract/index.ts';
import type { State } from '../../../src/core/state.ts';
import { en } from '../../../src/i18n/en.ts';
import { fr } from '../../../src/i18n/fr.ts';
import { createLocalization } from '../../../src/i18n/translator.ts';
import { descriptionOf, type StateDetails, titleOf } from '../../../src/widget/description/explanation.ts';
import { missingAmount } from '../../../src/widget/description/payment-facts.ts';
import { viewOf } from '../../core/views.ts';
import { everyState, shown } from '../model/states.ts';

const plain = (text: string): string => text.replace(/\s/g, ' ');

/** The title and all sentences below it. */
const textsOf = (state: State, details: StateDetails = {}): string[] => {
  const translator = createLocalization({}).translator.value;
  return [titleOf(state, translator), ...descriptionOf(state, translator, details)].map(plain);
};

describe('the texts of a state', () => {
  it('are different for every state', () => {
    const all = everyState.map((state) => textsOf(state).join());
    expect(new Set(all).size).toBe(everyState.length);
  });

  it('name what has arrived and what is missing', () => {
    const [title, sentence] = textsOf(shown('partlyPaid', { chargedAmount: 500_000 }));
    expect(title).toBe('Send ₦7,500.00 more');
    expect(sentence).toBe('₦5,000.00 of ₦12,500.00 has arrived. Send the rest to the same account.');
  });

  it('name what arrived when the amount was wrong', () => {
    expect(textsOf(shown('failed', { outcome: 'amountMismatch', chargedAmount: 1_000_000 }))[0]).toBe(
      '₦10,000.00 arrived instead of ₦12,500.00',
    );
  });

  const twice = { outcome: 'paid', chargedAmount: 1_250_000, orderChargedAmount: 2_500_000 } as const;

  it('name the total received and the order’s price where several payments were paid', () => {
    const inAll = [
      'We received ₦25,000.00 in total. Your order total is ₦12,500.00.',
      'The shop refunds the extra, usually within a few working days.',
      en.refundHelp,
    ];
    expect(textsOf(shown('succeeded', twice)).slice(1)).toEqual(inAll);
    expect(textsOf(shown('receivedLate', twice)).slice(1)).toEqual([en.receivedLateLead, ...inAll]);
    // The total counts, even where one payment alone was overpaid.
    const more = shown('succeeded', { ...twice, chargedAmount: 1_300_000, orderChargedAmount: 2_550_000 });
    expect(textsOf(more).slice(1)).toEqual([
      'We received ₦25,500.00 in total. Your order total is ₦12,500.00.',
      ...inAll.slice(1),
    ]);
  });

  it.each<[string, Partial<PaymentView>]>([
    ['awaitingTransfer', {}],
    ['partlyPaid', { chargedAmount: 500_000 }],
    ['checking', {}],
    ['confirming', { status: 'charged', chargedAmount: 500_000 }],
    ['expired', { outcome: 'expired' }],
    ['expired', { outcome: 'replaced' }],
    ['failed', { outcome: 'failed' }],
  ])('name what was paid into an earlier account for the order: %s with %j', (name, changes) => {
    const { chargedAmount = 0 } = changes;
    const withOrder = (orderChargedAmount: number) =>
      textsOf(shown(name as 'failed', { ...changes, orderChargedAmount }));
    const texts = withOrder(chargedAmount + 750_000);
    const alone = textsOf(shown(name as 'failed', changes));
    expect(texts.at(-1)).toBe(
      '₦7,500.00 was paid into an earlier account for this order. The shop has been told.',
    );
    // On a small phone there is no space for both.
    const isKept = (text: string): boolean => text !== 'Send the exact amount; the bank may return more.';
    expect(texts.slice(0, -1)).toEqual(alone.filter(isKept));
    expect(withOrder(chargedAmount)).toEqual(alone);
  });

  it.each(['sent', 'unclear'] as const)('say that the service does not know the payment: %s', (reason) => {
    const lost = shown('checking', { outcome: 'unclear', status: 'not_found' });
    expect(textsOf({ ...lost, reason } as State, { isTakingLong: reason === 'sent' })).toEqual([
      'We can’t find this payment',
      'Please don’t send money now.',
      'If you have sent money, contact the shop and give them this reference.',
    ]);
  });

  const mismatch = { outcome: 'amountMismatch', chargedAmount: 5 } as const;
  const overpaid = { outcome: 'paid', chargedAmount: 1_300_000 } as const;

  it.each<[string, Partial<PaymentView>, 'refundPolicy' | 'latePolicy', readonly (keyof typeof en)[]]>([
    ['failed', { outcome: 'failed' }, 'refundPolicy', ['refundHelp']],
    ['failed', mismatch, 'refundPolicy', ['mismatchRefundLead', 'refundHelp']],
    ['reversed', { outcome: 'reversed' }, 'refundPolicy', ['reversedHelp', 'refundHelp']],
    ['succeeded', overpaid, 'refundPolicy', ['refundLead', 'refundHelp']],
    ['receivedLate', overpaid, 'refundPolicy', ['refundLead', 'refundHelp']],
    ['receivedLate', { outcome: 'paid' }, 'latePolicy', []],
    ['receivedLate', overpaid, 'latePolicy', []],
  ])('use the merchant’s policy instead of our promises: %s with %j, %s', (name, changes, key, promised) => {
    const text = { [key]: { en: 'We give it back.', fr: 'Nous le rendons.' } };
    const { translator, setLanguage } = createLocalization({ text });
    const state = shown(name as 'failed', changes);
    const promises = promised.map((promise) => en[promise].replace('{refundTime}', en.refundTime));
    expect(textsOf(state)).toEqual(expect.arrayContaining(promises));
    const texts = descriptionOf(state, translator.value);
    expect(texts).toContain('We give it back.');
    expect(texts.filter((one) => promises.includes(one))).toEqual([]);
    setLanguage('fr', fr);
    expect(descriptionOf(state, translator.value)).toContain('Nous le rendons.');
  });

  it.each<[string, Partial<PaymentView>, 'overpaidPolicy' | 'failedPolicy' | 'reversedPolicy']>([
    ['failed', { outcome: 'failed' }, 'failedPolicy'],
    ['reversed', { outcome: 'reversed' }, 'reversedPolicy'],
    ['succeeded', overpaid, 'overpaidPolicy'],
    ['receivedLate', overpaid, 'overpaidPolicy'],
  ])('use the policy for one case before refundPolicy: %s with %j, %s', (name, changes, key) => {
    const text = { refundPolicy: 'We give it back.', [key]: 'We keep it for you.' };
    const { translator } = createLocalization({ text });
    const texts = descriptionOf(shown(name as 'failed', changes), translator.value);
    expect(texts).toContain('We keep it for you.');
    expect(texts).not.toContain('We give it back.');
  });

  it('name what arrived before expiry', () => {
    const [title, ...sentences] = textsOf(shown('expired', { outcome: 'expired', chargedAmount: 1_200_000 }));
    expect(title).toBe('₦12,000.00 of ₦12,500.00 has arrived');
    expect(sentences).toEqual([
      'Do not send money to this account.',
      en.expiredPartLead.replace('{sentRest}', en.sentRest),
      en.askShop,
    ]);
  });

  it('explain why there is no new account', () => {
    const expired = shown('expired', { outcome: 'expired' });
    const keptLead = en.keptLead.replace('{sent}', en.sent);
    expect(textsOf(expired, { isKept: true })).toContain(keptLead);
    expect(textsOf(expired)).not.toContain(keptLead);
  });

  it('change when a check takes long, name another amount as a reason, and ask for the reference', () => {
    for (const outcome of ['pending', 'expired'] as const) {
      const [, ...sentences] = textsOf(shown('checking', { outcome }), { isTakingLong: true });
      expect(sentences).toEqual([en.checkingLong, en.checkingAmount, en.askShop]);
    }
  });

  it('leave out texts that the merchant has emptied, and name the merchant’s time for a refund', () => {
    const text = { reversedHelp: '', refundHelp: '' };
    const localization = createLocalization({ text, refundTime: 'in two days' });
    expect(descriptionOf(shown('reversed', { outcome: 'reversed' }), localization.translator.value)).toEqual([
      en.reversedLead.replace('{refundTime}', 'in two days'),
    ]);
  });
});

it.each([
  [0, 0],
  [500_000, 750_000],
  [1_250_000, 0],
  [2_000_000, 0],
])('the missing amount is what has not arrived yet: after %i it is %i more', (chargedAmount, missing) => {
  expect(missingAmount(viewOf({ chargedAmount }))).toBe(missing);
});
