import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../src/contract/index.ts';
import type { State } from '../../src/core/index.ts';
import { en } from '../../src/i18n/en.ts';
import { fr } from '../../src/i18n/fr.ts';
import { createText } from '../../src/i18n/text.ts';
import { leadsOf, type Story } from '../../src/model/leads.ts';
import { missingAmount } from '../../src/model/payment-facts.ts';
import { titleOf } from '../../src/model/title.ts';
import { viewOf } from '../core/views.ts';
import { everyState, shown } from '../model/states.ts';

const plain = (text: string): string => text.replace(/\s/g, ' ');

const say = (state: State, locale: 'en' | 'fr' = 'en', story: Story = {}): string[] => {
  const speaker = createText();
  if (locale === 'fr') speaker.speak('fr', fr);
  return [titleOf(state, speaker.speech.value), ...leadsOf(state, speaker.speech.value, story)].map(plain);
};

describe('the words of a state', () => {
  it('are different for every state', () => {
    for (const locale of ['en', 'fr'] as const) {
      const all = everyState.map((state) => say(state, locale).join());
      expect(new Set(all).size).toBe(everyState.length);
    }
  });

  it('begin with a title for every state', () => {
    for (const state of everyState) expect(say(state)[0]).not.toBe('');
  });

  it('leave no value out', () => {
    for (const state of everyState) {
      for (const locale of ['en', 'fr'] as const) expect(say(state, locale).join()).not.toMatch(/[{}]/);
    }
  });

  it('say what has arrived, what is missing, and by when', () => {
    const [title, lead] = say(shown('partlyPaid', { chargedAmount: 500_000 }));
    expect(title).toBe('Transfer the missing NGN 7,500.00');
    expect(lead).toMatch(
      /^NGN 5,000.00 of NGN 12,500.00 has arrived. Send the rest to the same account by \d\d:30\.$/,
    );
  });

  it('say what arrived when the amount was wrong', () => {
    expect(say(shown('failed', { outcome: 'amountMismatch', chargedAmount: 1_000_000 }))[0]).toBe(
      'NGN 10,000.00 arrived instead of NGN 12,500.00',
    );
  });

  it('say plainly that more arrived than was asked for', () => {
    expect(say(shown('succeeded', { outcome: 'paid', chargedAmount: 1_300_000 }))).toContain(
      'NGN 13,000.00 has arrived: that is NGN 500.00 more than was asked for.',
    );
  });

  const twice = { outcome: 'paid', chargedAmount: 1_250_000, orderChargedAmount: 2_500_000 } as const;

  it('say what was received in all, and what the order costs, where it came on several payments', () => {
    const inAll = [
      'We received NGN 25,000.00 in all. Your order costs NGN 12,500.00. The shop has been told.',
      en.refundPolicy,
    ];
    expect(say(shown('succeeded', twice)).slice(1)).toEqual(inAll);
    expect(say(shown('receivedLate', twice)).slice(2)).toEqual([en.latePolicy, ...inAll]);
    // More than was asked for on one of them, too: what counts is all of it.
    const more = shown('succeeded', { ...twice, chargedAmount: 1_300_000, orderChargedAmount: 2_550_000 });
    expect(say(more).slice(1)).toEqual([
      'We received NGN 25,500.00 in all. Your order costs NGN 12,500.00. The shop has been told.',
      ...inAll.slice(1),
    ]);
  });

  it.each([undefined, 1_250_000, 500_000, 0])(
    'speak of no other payment where the order has received %s',
    (orderChargedAmount) => {
      const changes = { ...twice, orderChargedAmount };
      expect(say(shown('succeeded', changes)).slice(1)).toEqual([en.succeededLead]);
    },
  );

  it.each<[string, Partial<PaymentView>]>([
    ['awaitingTransfer', {}],
    ['partlyPaid', { chargedAmount: 500_000 }],
    ['checking', {}],
    ['confirming', { status: 'charged', chargedAmount: 500_000 }],
    ['expired', { outcome: 'expired' }],
    ['expired', { outcome: 'replaced' }],
    ['failed', { outcome: 'failed' }],
  ])('of %s with %j say what arrived on an earlier account of the order', (name, changes) => {
    const { chargedAmount = 0 } = changes;
    const withOrder = (orderChargedAmount: number) =>
      say(shown(name as 'failed', { ...changes, orderChargedAmount }));
    const said = withOrder(chargedAmount + 750_000);
    const alone = say(shown(name as 'failed', changes));
    expect(said.at(-1)).toBe(
      'NGN 7,500.00 arrived on an earlier account of this order. The shop has been told.',
    );
    expect(said.slice(0, -1)).toEqual(alone);
    expect(withOrder(chargedAmount)).toEqual(alone);
  });

  it('of several payments are the merchant’s own where there are some', () => {
    const { speech } = createText({
      paidTwiceLead: '{total} came.',
      overpaidPolicy: 'We send the rest back.',
    });
    expect(leadsOf(shown('succeeded', twice), speech.value).map(plain)).toEqual([
      'NGN 25,000.00 came.',
      'We send the rest back.',
    ]);
  });

  it('warn against an account that is over before anything is loaded, and against one that is not clear', () => {
    for (const outcome of ['expired', 'replaced'] as const) {
      expect(say(shown('expired', { outcome }))).toContain('Do not send money to this account.');
    }
    expect(say(shown('checking', { outcome: 'unclear' }))).toContain('Please don’t send money now.');
  });

  it.each<[string, Partial<PaymentView>, 'refundPolicy' | 'latePolicy']>([
    ['failed', { outcome: 'failed' }, 'refundPolicy'],
    ['failed', { outcome: 'amountMismatch', chargedAmount: 5 }, 'refundPolicy'],
    ['reversed', { outcome: 'reversed' }, 'refundPolicy'],
    ['succeeded', { outcome: 'paid', chargedAmount: 1_300_000 }, 'refundPolicy'],
    ['receivedLate', { outcome: 'paid', chargedAmount: 1_300_000 }, 'refundPolicy'],
    ['receivedLate', { outcome: 'paid' }, 'latePolicy'],
  ])('of %s with %j take the merchant’s own %s', (name, changes, key) => {
    const speaker = createText({ [key]: { en: 'We give it back.', fr: 'Nous le rendons.' } });
    const state = shown(name as 'failed', changes);
    expect(leadsOf(state, speaker.speech.value)).toContain('We give it back.');
    speaker.speak('fr', fr);
    expect(leadsOf(state, speaker.speech.value)).toContain('Nous le rendons.');
  });

  it.each<[string, Partial<PaymentView>, 'overpaidPolicy' | 'failedPolicy' | 'reversedPolicy']>([
    ['failed', { outcome: 'failed' }, 'failedPolicy'],
    ['reversed', { outcome: 'reversed' }, 'reversedPolicy'],
    ['succeeded', { outcome: 'paid', chargedAmount: 1_300_000 }, 'overpaidPolicy'],
    ['receivedLate', { outcome: 'paid', chargedAmount: 1_300_000 }, 'overpaidPolicy'],
  ])('of %s with %j take the %s rather than that of all money', (name, changes, key) => {
    const { speech } = createText({ refundPolicy: 'We give it back.', [key]: 'We keep it for you.' });
    const said = leadsOf(shown(name as 'failed', changes), speech.value);
    expect([said.includes('We keep it for you.'), said.includes('We give it back.')]).toEqual([true, false]);
  });

  it('say what has arrived in time of a payment that has expired, and offer nothing else', () => {
    const [title, ...leads] = say(shown('expired', { outcome: 'expired', chargedAmount: 1_200_000 }));
    expect(title).toBe('NGN 12,000.00 of NGN 12,500.00 arrived in time');
    expect(leads).toEqual([
      'Do not send money to this account.',
      en.expiredPartLead,
      en.latePolicy,
      en.refundPolicy,
    ]);
  });

  it('say why there is no new account', () => {
    const expired = shown('expired', { outcome: 'expired' });
    expect(say(expired, 'en', { isKept: true })).toContain(en.keptLead);
    expect(say(expired)).not.toContain(en.keptLead);
  });

  it('of money that is looked for keep saying what has arrived', () => {
    const sent = shown('checking', { chargedAmount: 500_000 });
    const [title, ...leads] = say(sent);
    expect(title).toBe('We are looking for the missing NGN 7,500.00');
    expect(leads).toEqual(['NGN 5,000.00 of NGN 12,500.00 has arrived.', en.checkingLead]);
    expect(say(sent, 'en', { isLong: true })).toContain('NGN 5,000.00 of NGN 12,500.00 has arrived.');
  });

  it('of money that is looked for are others after long, and name the reference', () => {
    for (const outcome of ['pending', 'expired'] as const) {
      const [, ...leads] = say(shown('checking', { outcome }), 'en', { isLong: true });
      expect(leads).toEqual([en.checkingLong, en.askShop]);
    }
  });

  it('say that a payment is looked up where one is stored', () => {
    expect(say({ name: 'loading', failures: 0, isStored: true })[0]).toBe('Looking up your payment…');
  });

  it('leave out what the merchant has emptied', () => {
    const speaker = createText({ refundPolicy: '' });
    expect(leadsOf(shown('reversed', { outcome: 'reversed' }), speaker.speech.value)).toEqual([
      en.reversedLead,
    ]);
  });
});

describe('the missing amount', () => {
  it.each([
    [0, 0],
    [500_000, 750_000],
    [1_250_000, 0],
    [2_000_000, 0],
  ])('after %i has arrived is %i', (chargedAmount, missing) => {
    expect(missingAmount(viewOf({ chargedAmount }))).toBe(missing);
  });
});
