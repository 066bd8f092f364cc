import { describe, expect, it } from 'vitest';
import type { State } from '../../src/core/index.ts';
import { enMore } from '../../src/locales/en-more.ts';
import { createText } from '../../src/model/text.ts';
import { missingAmount, wordsOf } from '../../src/model/words.ts';
import { viewOf } from '../core/views.ts';

const say = (state: State, withLater = true): string[] => {
  const { text, learn } = createText();
  if (withLater) learn(enMore);
  const { title, leads } = wordsOf(state, text);
  return [title, ...leads].map((one) => one.replace(/\s/g, ' '));
};
const shown = (
  name: 'awaitingTransfer' | 'confirming' | 'succeeded' | 'expired' | 'failed',
  changes = {},
): State => ({ name, payment: viewOf(changes), connection: 'ok' });

const everyState: State[] = [
  { name: 'loading', failures: 0 },
  { name: 'loading', failures: 1 },
  shown('awaitingTransfer'),
  shown('awaitingTransfer', { chargedAmount: 5 }),
  shown('confirming'),
  shown('succeeded', { outcome: 'paid' }),
  shown('expired', { outcome: 'expired' }),
  shown('expired', { outcome: 'replaced' }),
  shown('failed', { outcome: 'failed' }),
  shown('failed', { outcome: 'reversed' }),
  shown('failed', { outcome: 'amountMismatch', chargedAmount: 1_000_000 }),
  { name: 'unavailable', code: 'network_error' },
  { name: 'unavailable', code: 'forbidden', previous: viewOf() },
];

describe('the words of a state', () => {
  it('are different for every state', () => {
    const all = everyState.map((state) => say(state).join());
    expect(new Set(all).size).toBe(everyState.length);
  });

  it('have a line for every state before the later words are loaded', () => {
    for (const state of everyState) expect(say(state, false)[0]).not.toBe('');
  });

  it('leave no value out', () => {
    for (const state of everyState) expect(say(state).join()).not.toMatch(/[{}]/);
  });

  it('say what has arrived and what is missing', () => {
    expect(say(shown('awaitingTransfer', { chargedAmount: 500_000 }))).toEqual([
      'Transfer the missing NGN 7,500.00',
      'NGN 5,000.00 of NGN 12,500.00 has arrived.',
    ]);
  });

  it('say what arrived when the amount was wrong', () => {
    expect(say(shown('failed', { outcome: 'amountMismatch', chargedAmount: 1_000_000 }))[0]).toBe(
      'NGN 10,000.00 arrived instead of NGN 12,500.00',
    );
  });

  it('warn against an account that is over, before anything is loaded', () => {
    for (const outcome of ['expired', 'replaced'] as const) {
      expect(say(shown('expired', { outcome }), false)).toContain('Do not send money to this account.');
    }
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
