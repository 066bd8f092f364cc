import { describe, expect, it } from 'vitest';
import { createServiceClock } from '../../../server-kit/core/time.ts';

const start = Date.UTC(2026, 2, 1, 12);
const dateAt = (ms: number): string => new Date(ms).toUTCString();

function setUp() {
  let nowMs = start;
  const clock = createServiceClock(() => nowMs);
  /** A response with this `Date` and travel time. */
  const receive = (date: string | null, tookMs = 0): void => {
    const sentAt = nowMs;
    nowMs += tookMs;
    clock.update(date, sentAt);
  };
  return { clock, receive };
}

describe('the service’s clock', () => {
  it('is the local one until a response sets it', () => {
    expect(setUp().clock.now()).toBe(start);
  });

  it('stays while responses agree with it, within their second and their travel time', () => {
    const { clock, receive } = setUp();
    receive(dateAt(start));
    receive(dateAt(start + 1000), 1500);
    expect(clock.offsetMs()).toBe(0);
  });

  it('stays after a slow response, which may be as old as the request', () => {
    const { clock, receive } = setUp();
    receive(dateAt(start), 10_000);
    expect(clock.offsetMs()).toBe(0);
  });

  it('moves if no moment between sending and receiving agrees with the response', () => {
    const before = setUp();
    before.receive(dateAt(start - 1000), 10_000);
    expect(before.clock.offsetMs()).toBe(-1);
    const after = setUp();
    after.receive(dateAt(start + 11_000), 10_000);
    expect(after.clock.offsetMs()).toBe(11_999);
  });

  it.each([3_600_000, -3_600_000])('moves by %i ms when the responses are that far off', (offMs) => {
    const { clock, receive } = setUp();
    receive(dateAt(start + offMs));
    expect(clock.offsetMs()).toBe(offMs + 999);
  });

  it('is never behind the service after it has moved', () => {
    for (const part of [0, 1, 500, 999]) {
      const { clock, receive } = setUp();
      const serviceNow = start + 60_000 + part;
      receive(dateAt(serviceNow));
      expect(clock.now()).toBeGreaterThanOrEqual(serviceNow);
    }
  });

  it('does not jitter: responses of the same service leave it unchanged', () => {
    const { clock, receive } = setUp();
    const offMs = 60_400;
    receive(dateAt(start + offMs));
    const offset = clock.offsetMs();
    for (const tookMs of [0, 0, 0]) receive(dateAt(start + offMs), tookMs);
    expect(clock.offsetMs()).toBe(offset);
  });

  it.each([null, '', 'yesterday', '31/02/2026', dateAt(0), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'ignores the date %j',
    (date) => {
      const { clock, receive } = setUp();
      receive(date);
      expect(clock.offsetMs()).toBe(0);
    },
  );
});
