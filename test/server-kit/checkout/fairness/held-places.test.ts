import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeldPlaces } from '../../../../server-kit/checkout/fairness/held-places.ts';

const turnMs = 5000;

/** A house with so many places, on a clock that the test moves. */
function createHouse(size: number) {
  const places = createHeldPlaces<object>(turnMs);
  const held = new Map<object, string>();
  let nowMs = 1_000_000;
  const leave = (holder: object): void => {
    held.delete(holder);
    places.remove(holder);
  };
  /** Returns whether the client got a place. */
  const enter = (client: string): boolean => {
    const leaving = held.size < size ? undefined : places.toReplace(client, nowMs);
    if (leaving !== undefined) leave(leaving);
    if (held.size >= size) return false;
    const holder = {};
    held.set(holder, client);
    places.add(holder, client, nowMs);
    return true;
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return {
    held,
    leave,
    enter,
    pass,
    clients: () => [...held.values()],
    countOf: (client: string) => [...held.values()].filter((one) => one === client).length,
    enterTimes: (client: string, count: number) =>
      Array.from({ length: count }, () => enter(client)).filter(Boolean).length,
  };
}

describe('places that are all taken', () => {
  it('go at once to a client that has fewer than its share', () => {
    const { enter, enterTimes, countOf } = createHouse(5000);
    expect(enterTimes('attacker', 10_000)).toBe(5000);
    expect([enter('ada'), enterTimes('carrier', 600), enterTimes('attacker', 1000)]).toEqual([true, 600, 0]);
    expect(['ada', 'carrier', 'attacker'].map(countOf)).toEqual([1, 600, 4399]);
  });

  it('are divided equally, whichever clients ask, and however often', () => {
    const asking = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 400, maxLength: 800 });
    fc.assert(
      fc.property(asking, (numbers) => {
        const { enter, countOf, held } = createHouse(20);
        const clients = numbers.map((number) => `client-${number}`);
        for (const client of clients) enter(client);
        const most = Math.max(...clients.map(countOf));
        for (const client of new Set(clients)) {
          const wanted = clients.filter((one) => one === client).length;
          expect(countOf(client)).toBeGreaterThanOrEqual(Math.min(wanted, most - 1));
        }
        expect(held.size).toBe(20);
      }),
    );
  });

  it('go to others of the same client in turn, the oldest first, and only after its turn', () => {
    const { enter, pass, held } = createHouse(2);
    enter('carrier');
    pass(1000);
    enter('carrier');
    const [first = {}, second = {}] = [...held.keys()];
    pass(turnMs - 1001);
    expect(enter('carrier')).toBe(false);
    pass(1);
    expect(enter('carrier')).toBe(true);
    expect([held.has(first), held.has(second), enter('carrier')]).toEqual([false, true, false]);
  });

  it('go to clients that have none in turn, if the others have one each', () => {
    const { enter, pass, clients } = createHouse(3);
    expect(['ada', 'obi', 'uche', 'emeka'].map(enter)).toEqual([true, true, true, false]);
    pass(turnMs);
    expect(['emeka', 'ngozi'].map(enter)).toEqual([true, true]);
    expect(clients()).toEqual(['uche', 'emeka', 'ngozi']);
  });

  it('are still taken in turn after the clock was set back', () => {
    const { enter, pass } = createHouse(1);
    enter('ada');
    pass(-3_600_000);
    expect(enter('obi')).toBe(true);
  });

  it('are not given where there are none, and are released once', () => {
    expect(createHouse(0).enter('ada')).toBe(false);
    const { enter, enterTimes, held, leave } = createHouse(1);
    enter('ada');
    const [holder = {}] = held.keys();
    leave(holder);
    leave(holder);
    expect(enterTimes('obi', 2)).toBe(1);
  });
});
