import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeldPlaces, decidePlace } from '../../../server-kit/fairness/held-places.ts';

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
  return {
    held,
    leave,
    pass(ms: number): void {
      nowMs += ms;
    },
    countOf: (client: string): number => [...held.values()].filter((one) => one === client).length,
    /** Returns whether the client got a place. */
    enter(client: string): boolean {
      const leaving = held.size < size ? undefined : places.toMakeWay(client, nowMs);
      if (leaving !== undefined) leave(leaving);
      if (held.size >= size) return false;
      const holder = {};
      held.set(holder, client);
      places.add(holder, client, nowMs);
      return true;
    },
  };
}

type House = ReturnType<typeof createHouse>;

const enterTimes = (house: House, client: string, count: number): number =>
  Array.from({ length: count }, () => house.enter(client)).filter(Boolean).length;

describe('the place that goes to a client that asks', () => {
  it('is one of the client that has the most, at once if that then still has as many', () => {
    expect(decidePlace({ own: 0, most: 5000 })).toBe('atOnce');
    expect(decidePlace({ own: 3, most: 5 })).toBe('atOnce');
    expect(decidePlace({ own: 3, most: 4 })).toBe('inTurn');
    expect(decidePlace({ own: 4, most: 4 })).toBe('ownInTurn');
  });
});

describe('places that are all taken', () => {
  it('go at once to a client that has fewer than its share', () => {
    const house = createHouse(5000);
    expect(enterTimes(house, 'attacker', 10_000)).toBe(5000);
    expect(house.enter('ada')).toBe(true);
    expect(enterTimes(house, 'carrier', 600)).toBe(600);
    expect(enterTimes(house, 'attacker', 1000)).toBe(0);
    expect(['ada', 'carrier', 'attacker'].map(house.countOf)).toEqual([1, 600, 4399]);
  });

  it('end as equal shares, whoever asks, and however often', () => {
    const asking = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 400, maxLength: 800 });
    fc.assert(
      fc.property(asking, (clients) => {
        const house = createHouse(20);
        for (const client of clients) house.enter(`client-${client}`);
        const wanted = new Map<string, number>();
        for (const client of clients)
          wanted.set(`client-${client}`, (wanted.get(`client-${client}`) ?? 0) + 1);
        const counts = [...wanted].map(([client, count]) => ({ count, has: house.countOf(client) }));
        const most = Math.max(...counts.map(({ has }) => has));
        for (const { count, has } of counts) expect(has).toBeGreaterThanOrEqual(Math.min(count, most - 1));
        expect(house.held.size).toBe(20);
      }),
    );
  });

  it('go to others of the same client in turn, the oldest first, and only when its turn is over', () => {
    const house = createHouse(2);
    house.enter('carrier');
    house.pass(1000);
    house.enter('carrier');
    const [first, second] = [...house.held.keys()];
    house.pass(turnMs - 1001);
    expect(house.enter('carrier')).toBe(false);
    house.pass(1);
    expect(house.enter('carrier')).toBe(true);
    expect([house.held.has(first as object), house.held.has(second as object)]).toEqual([false, true]);
    expect(house.enter('carrier')).toBe(false);
  });

  it('go to clients that have none in turn, if the others have one each', () => {
    const house = createHouse(3);
    for (const client of ['ada', 'obi', 'uche']) expect(house.enter(client)).toBe(true);
    expect(house.enter('emeka')).toBe(false);
    house.pass(turnMs);
    expect(house.enter('emeka')).toBe(true);
    expect(house.enter('ngozi')).toBe(true);
    expect([...house.held.values()]).toEqual(['uche', 'emeka', 'ngozi']);
  });

  it('go on in turn after the clock was set back', () => {
    const house = createHouse(1);
    house.enter('ada');
    house.pass(-3_600_000);
    expect(house.enter('obi')).toBe(true);
  });

  it('are none where there are none, and are left once', () => {
    const house = createHouse(0);
    expect(house.enter('ada')).toBe(false);
    const one = createHouse(1);
    one.enter('ada');
    const [holder = {}] = one.held.keys();
    one.leave(holder);
    one.leave(holder);
    expect(enterTimes(one, 'obi', 2)).toBe(1);
  });
});
