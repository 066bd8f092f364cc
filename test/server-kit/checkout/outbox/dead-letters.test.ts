import { expect, it } from 'vitest';
import { retryDeadLetters, toDeadLetter } from '../../../../server-kit/checkout/outbox/dead-letters.ts';
import type { OutboxEvent } from '../../../../server-kit/checkout/ports/store.ts';

const facts = { orderId: 'order-1', outcome: 'reversed', reference: 'tc_1', amount: 1000 } as const;
const deadLetter = (key: string): OutboxEvent => ({
  ...facts,
  key,
  failure: 'no stock',
  position: 2,
  token: 160,
});

it('Dead letters are shown with their tries, and without the rest of the outbox', () => {
  expect(toDeadLetter(deadLetter('a'))).toEqual({ ...facts, key: 'a', failure: 'no stock', tries: 160 });
});

it('Dead letters are retried, all or one, and counted if they still were dead letters', async () => {
  const tried: string[] = [];
  const list = async () => ['a', 'b', 'c'].map(deadLetter);
  const retry = async (key: string) => tried.push(key) > 0 && key !== 'b';
  const counts = [];
  for (const key of [null, 'c', 'b']) counts.push(await retryDeadLetters({ list, retry }, key));
  expect([counts, tried]).toEqual([
    [2, 1, 0],
    ['a', 'b', 'c', 'c', 'b'],
  ]);
});
