import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../../../server-kit/checkout/fairness/fair-queue.ts';

let named = 0;

/** A queue of names of the form `client-number`. */
function createQueue() {
  const queue = createFairQueue<string>();
  const put = (client: string | undefined, count = 1): string[] =>
    Array.from({ length: count }, () => {
      const name = `${client}-${named++}`;
      queue.put(name, client);
      return name;
    });
  const take = (count: number) => Array.from({ length: count }, () => queue.next());
  return { ...queue, put, take };
}

const clientOf = (name = '') => name.split('-')[0];

/** A queue in which items of five clients have come and gone, the names that wait, and the clients that have had a turn. */
const used = fc.array(fc.option(fc.integer({ min: 0, max: 4 })), { maxLength: 200 }).map((steps) => {
  const queue = createQueue();
  const waiting = new Set<string | undefined>();
  const served = new Set<string | undefined>();
  for (const step of steps) {
    if (step !== null) waiting.add(queue.put(`client${step}`)[0]);
    else {
      const name = queue.next();
      waiting.delete(name);
      served.add(clientOf(name));
    }
  }
  return { queue, waiting: [...waiting], served };
});

describe('a fair queue', () => {
  it.each(['carrier', undefined])('is first in, first out for one client: %s', (client) => {
    const { put, take } = createQueue();
    const names = put(client, 50);
    expect(take(51)).toEqual([...names, undefined]);
  });

  it('starts the first item of a client without a recent turn within two turns for each such client', () => {
    fc.assert(
      fc.property(used, ({ queue, waiting, served }) => {
        const clients = new Set(waiting.map(clientOf).filter((client) => !served.has(client))).size + 1;
        const [ada] = queue.put('ada');
        const taken = Array.from({ length: 2 * clients }, () => [queue.put('attacker', 3), queue.next()][1]);
        expect(taken).toContain(ada);
      }),
    );
  });

  it('starts any client’s first item within two turns for each client that waits', () => {
    fc.assert(
      fc.property(used, fc.integer({ min: 0, max: 4 }), ({ queue, waiting }, number) => {
        const clients = new Set(waiting.map(clientOf)).size + 1;
        const mine = `client${number}`;
        queue.put(mine);
        const takeOne = (): string | undefined => {
          queue.put('client0', 3);
          return queue.next();
        };
        const taken = Array.from({ length: 2 * clients }, takeOne);
        expect(taken.map(clientOf)).toContain(mine);
      }),
    );
  });

  it.each([
    [9998, 'carrier'],
    [10_000, 'ada'],
  ])('knows who had a turn among the last 10,000: after %i others, %s is next', (others, next) => {
    const { put, take } = createQueue();
    put('ada');
    take(1);
    for (let turn = 0; turn < others; turn++) {
      put('carrier');
      take(1);
    }
    put('carrier');
    put('ada');
    expect(clientOf(take(1)[0])).toBe(next);
  });

  it('starts each item within twice its place in the queue, whatever comes later', () => {
    fc.assert(
      fc.property(used, ({ queue, waiting }) => {
        const taken = waiting.flatMap((_, index) =>
          [0, 1].map((half) => [queue.put(`new${index}.${half}`), queue.next()][1]),
        );
        for (const [index, name] of waiting.entries())
          expect(taken.slice(0, 2 * (index + 1))).toContain(name);
      }),
    );
  });

  it('forgets what is removed', () => {
    const { put, take, remove, size } = createQueue();
    const [first = '', second] = put('ada', 2);
    remove(first);
    remove('unknown');
    expect([size(), take(2)]).toEqual([1, [second, undefined]]);
  });
});
