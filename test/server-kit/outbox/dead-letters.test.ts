import { describe, expect, it } from 'vitest';
import { retryDeadLetters, toDeadLetter } from '../../../server-kit/outbox/dead-letters.ts';
import type { OutboxEvent } from '../../../server-kit/stores/outbox-event.ts';

const deadLetter = (key: string): OutboxEvent => ({
  key,
  orderId: 'order-1',
  outcome: 'paid',
  reference: 'tc_1',
  state: 'setAside',
  token: 160,
  failure: 'no stock',
});

describe('dead letters', () => {
  it('are shown with their tries, and without the state of the outbox', () => {
    expect(toDeadLetter(deadLetter('order-1:paid'))).toEqual({
      key: 'order-1:paid',
      orderId: 'order-1',
      outcome: 'paid',
      reference: 'tc_1',
      tries: 160,
      failure: 'no stock',
    });
  });

  it.each([
    ['all of them', null, ['a', 'b', 'c'], 2],
    ['one', 'c', ['c'], 1],
    ['one that another person has retried', 'b', ['b'], 0],
    ['an unknown one', 'd', ['d'], 0],
  ])('are retried, and counted if they still were dead letters: %s', async (_which, key, keys, count) => {
    const retried: string[] = [];
    const result = await retryDeadLetters(
      {
        list: async () => ['a', 'b', 'c'].map(deadLetter),
        async retry(one) {
          retried.push(one);
          return one === 'a' || one === 'c';
        },
      },
      key,
    );
    expect([retried, result]).toEqual([keys, count]);
  });
});
