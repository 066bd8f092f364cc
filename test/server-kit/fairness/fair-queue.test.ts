import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../../server-kit/fairness/fair-queue.ts';

type Item = { client: string | undefined };

const createQueue = () => createFairQueue<Item>(({ client }) => client);
type Queue = ReturnType<typeof createQueue>;

let named = 0;
const put = (queue: Queue, client: string | undefined, count = 1): string[] =>
  Array.from({ length: count }, () => {
    const name = `${client}-${named++}`;
    queue.put(name, { client });
    return name;
  });
const take = (queue: Queue, count: number): string[] =>
  Array.from({ length: count }, () => queue.next()?.[0]).filter((name) => name !== undefined);

/** Clients whose items come and go while others wait: `true` takes the next item. */
const steps = fc.array(fc.oneof(fc.constant(true as const), fc.integer({ min: 0, max: 4 })), {
  maxLength: 200,
});

describe('a fair queue', () => {
  it('is first in, first out for one client, known or not', () => {
    for (const client of ['carrier', undefined]) {
      const queue = createQueue();
      const names = put(queue, client, 50);
      expect(take(queue, 60)).toEqual(names);
    }
  });

  it('lets a client with one item pass 600 of another', () => {
    const queue = createQueue();
    put(queue, 'attacker', 600);
    const [ada = ''] = put(queue, 'ada');
    expect(take(queue, 4)).toContain(ada);
  });

  it('starts a client’s first item within two turns for each client, whatever comes later', () => {
    fc.assert(
      fc.property(steps, (before) => {
        const queue = createQueue();
        for (const step of before) step === true ? queue.next() : put(queue, `client-${step}`);
        const clients = new Set(queue.list().map(([, { client }]) => client)).size + 1;
        const [ada = ''] = put(queue, 'ada');
        const taken = Array.from({ length: 2 * clients }, () => {
          put(queue, 'attacker', 3);
          return queue.next()?.[0];
        });
        expect(taken).toContain(ada);
      }),
    );
  });

  it('starts each item within twice its place in the queue, whatever comes later', () => {
    fc.assert(
      fc.property(steps, (before) => {
        const queue = createQueue();
        for (const step of before) step === true ? queue.next() : put(queue, `client-${step}`);
        const waiting = queue.list().map(([name]) => name);
        const taken: (string | undefined)[] = [];
        for (const [index, name] of waiting.entries()) {
          while (taken.length < 2 * (index + 1)) {
            put(queue, `new-${taken.length}`);
            taken.push(queue.next()?.[0]);
          }
          expect(taken).toContain(name);
        }
      }),
    );
  });

  it('holds each name once, for the client that put it last', () => {
    const queue = createQueue();
    queue.put('one', { client: undefined });
    put(queue, undefined, 10);
    queue.put('one', { client: 'ada' });
    expect(queue.size()).toBe(11);
    expect(queue.get('one')).toEqual({ client: 'ada' });
    expect(take(queue, 4)).toContain('one');
    queue.put('two', { client: 'ada' });
    queue.remove('two');
    expect(queue.get('two')).toBeUndefined();
    expect(take(queue, 20)).toHaveLength(7);
    expect([queue.size(), queue.next(), queue.list()]).toEqual([0, undefined, []]);
  });
});
