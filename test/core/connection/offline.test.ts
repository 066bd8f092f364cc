import { describe, expect, it } from 'vitest';
import { createController } from '../../../src/core/controller.ts';
import { settle } from '../../settle.ts';
import { createFakeEnvironment } from '../fake-environment.ts';
import { openTab } from '../open-tab.ts';
import { headersOf, serviceTimeMs, sessionOf, viewOf } from '../views.ts';

const hour = 3_600_000;
const minute = 60_000;

describe('offline', () => {
  it('is noticed at the start and on each change, also while the session is created', async () => {
    const tab = await openTab({ before: (world) => world.goOffline() });
    expect(tab.types()).toEqual(['wentOffline']);
    await tab.world.goOnline();
    await tab.world.goOffline();
    expect(tab.types()).toEqual(['wentOffline', 'cameOnline', 'wentOffline']);
    await tab.world.goOnline();
    await tab.give();
    await tab.world.goOffline();
    await tab.world.goOnline();
    expect(tab.types().slice(4)).toEqual(['sessionReceived', 'wentOffline', 'cameOnline']);
  });

  it('is only a hint: requests are still sent', async () => {
    const tab = await openTab({ before: (world) => world.goOffline() });
    expect(tab.sent()).toEqual(['POST ']);
    await tab.give();
    await tab.world.goOffline();
    expect(tab.world.open()).toBe(1);
  });

  it('sends no events after the end', async () => {
    const tab = await openTab();
    await tab.close();
    expect(tab.world.listeners()).toBe(0);
    await tab.world.goOffline();
    expect(tab.types()).toEqual([]);
  });
});

describe('the first moment online', () => {
  it('ends the wait before the next attempt to create a session', async () => {
    const tab = await openTab();
    await tab.world.last().fail();
    void tab.effects.create({
      type: 'createSession',
      failures: 3,
      after: { code: 'network_error' } as never,
    });
    await tab.world.advance(1);
    expect(tab.sent()).toEqual(['POST ']);
    await tab.world.goOnline();
    expect(tab.sent()).toEqual(['POST ', 'POST ']);
  });

  it('repeats the open attempt, and does not count it as a failure', async () => {
    const tab = await openTab();
    const first = tab.world.last();
    await tab.world.goOnline();
    expect(first.signal.aborted).toBe(true);
    expect([tab.sent(), tab.types()]).toEqual([['POST ', 'POST '], ['cameOnline']]);
    await tab.give();
    expect(tab.types()).toEqual(['cameOnline', 'sessionReceived']);
  });

  it('does not shorten a Retry-After', async () => {
    const tab = await openTab();
    void tab.effects.create({
      type: 'createSession',
      failures: 1,
      after: { code: 'rate_limited', retryAfterSeconds: 30 } as never,
    });
    await tab.world.advance(1);
    await tab.world.goOnline();
    await tab.world.advance(29_998);
    // The open attempt was repeated; the waiting one has not started.
    expect(tab.sent().length).toBeLessThanOrEqual(2);
    const before = tab.sent().length;
    await tab.world.advance(1);
    expect(tab.sent().length).toBe(before + 1);
  });

  it('checks at once, and aborts the open request', async () => {
    const tab = await openTab();
    await tab.give();
    const held = tab.world.last();
    await tab.world.goOnline();
    expect(held.signal.aborted).toBe(true);
    const urgent = tab.world.last();
    expect(urgent.headers.get('prefer')).toBe(null);
    await tab.world.goOnline();
    expect(urgent.signal.aborted).toBe(true);
    expect(tab.world.open()).toBe(1);
  });

  it('ends the back-off between checks', async () => {
    const tab = await openTab();
    await tab.give();
    for (let round = 0; round < 6; round += 1) {
      await tab.world.last().fail();
      await tab.world.goOnline();
      expect(tab.world.open()).toBe(1);
    }
  });
});

describe('a device that sleeps for an hour', () => {
  it.each([true, false])(
    'aborts its open request when it wakes without an event (its clock counts sleep: %s)',
    async (monotonic) => {
      const tab = await openTab();
      await tab.give();
      const held = tab.world.last();
      await tab.world.sleep(hour, { monotonic });
      await tab.world.advance(5000);
      expect(held.signal.aborted).toBe(true);
      expect(tab.world.last().headers.get('prefer')).toBe(null);
      expect(tab.world.open()).toBe(1);
      await tab.see();
      expect(tab.types()).toEqual(['sessionReceived', 'viewReceived']);
    },
  );

  it('aborts an immediate check, too', async () => {
    const tab = await openTab();
    await tab.give();
    tab.effects.checkNow();
    await tab.world.advance(0);
    const dead = tab.world.last();
    await tab.world.sleep(hour);
    await tab.world.advance(5000);
    expect([dead.signal.aborted, tab.world.open()]).toEqual([true, 1]);
  });

  it('checks when it is shown, and not before, if it was hidden', async () => {
    const tab = await openTab();
    await tab.give();
    await tab.world.hide();
    await tab.world.sleep(hour);
    await tab.world.advance(hour);
    expect(tab.sent()).toEqual(['POST ', 'GET /order-1001-1']);
    await tab.world.show();
    expect(tab.sent()).toHaveLength(3);
  });

  it.each([
    ['freeze', 'resume'],
    ['pagehide', 'pageshow'],
  ])('sends nothing from %s to %s, and then checks at once', async (away, back) => {
    const tab = await openTab();
    await tab.give();
    await tab.world.dispatch(away);
    expect(tab.world.open()).toBe(0);
    await tab.world.advance(hour);
    expect(tab.world.open()).toBe(0);
    await tab.world.dispatch(back);
    expect(tab.world.last().headers.get('prefer')).toBe(null);
    expect(tab.world.open()).toBe(1);
  });
});

describe('the time left', () => {
  const count = async () => {
    const world = createFakeEnvironment();
    let offsetMs = 0;
    createController({
      environment: world.environment,
      baseUrl: '/checkout',
      body: '{}',
      onState: ({ serviceOffsetMs }) => {
        offsetMs = serviceOffsetMs ?? offsetMs;
      },
    });
    await settle();
    await world.last().respond(sessionOf(), { status: 201, headers: headersOf('a') });
    await settle();
    const left = () => (Date.parse(viewOf().expiresAt) - offsetMs - world.environment.now()) / minute;
    return { world, left };
  };
  const laterBy = (ms: number) => headersOf('a', { 'checkout-service-time': `${serviceTimeMs + ms}` });

  it('is corrected by the first response after sleep, although the clock stood still', async () => {
    const { world, left } = await count();
    expect(left()).toBe(30);
    await world.sleep(20 * minute, { monotonic: false });
    await world.advance(5000);
    await world.last().respond(undefined, { status: 304, headers: laterBy(20 * minute) });
    expect(left()).toBe(10);
  });

  it('is corrected after the page was left and restored', async () => {
    const { world, left } = await count();
    await world.dispatch('pagehide');
    await world.sleep(20 * minute, { monotonic: false });
    await world.dispatch('pageshow');
    await world.last().respond(undefined, { status: 304, headers: laterBy(20 * minute) });
    expect(left()).toBe(10);
  });

  it.each([-1, 1])('does not change when the phone’s date is wrong by %i day, or set', async (days) => {
    const { world, left } = await count();
    world.setDate(serviceTimeMs + days * 24 * hour);
    await world.advance(minute);
    expect(left()).toBe(29);
    world.setDate(serviceTimeMs);
    await world.advance(minute);
    expect(left()).toBe(28);
  });
});

describe('a phone whose date is wrong', () => {
  it('has no effect, and correcting it costs one check', async () => {
    const tab = await openTab();
    await tab.give();
    await tab.world.advance(20_000);
    tab.world.setDate(Date.parse('2026-03-01T12:00:20Z'));
    await tab.world.advance(4000);
    expect(tab.sent()).toHaveLength(2);
    await tab.world.advance(1000);
    expect(tab.sent()).toHaveLength(3);
    await tab.world.last().respond(undefined, { status: 304, headers: headersOf('a') });
    await tab.world.advance(3000);
    tab.world.setDate(0);
    await tab.world.advance(20_000);
    expect(tab.sent()).toHaveLength(4);
  });
});

describe('a shopper who saves data', () => {
  const saving = () => openTab({ before: (world) => world.saveData() });

  it('polls less often after held responses', async () => {
    const tab = await saving();
    await tab.give();
    await tab.world.advance(25_000);
    await tab.world.last().respond(undefined, { status: 304, headers: headersOf('a') });
    await tab.world.advance(4999);
    expect(tab.sent()).toHaveLength(2);
    await tab.world.advance(1);
    expect(tab.sent()).toHaveLength(3);
  });

  it('polls a third as often without held responses, and after expiry', async () => {
    const tab = await saving();
    await tab.give();
    await tab.world.last().respond(undefined, { status: 304, headers: headersOf('a') });
    await tab.world.advance(8999);
    expect(tab.sent()).toHaveLength(2);
    await tab.world.advance(1);
    expect(tab.sent()).toHaveLength(3);
    await tab.see({ outcome: 'expired', status: 'expired' });
    await tab.world.advance(44_999);
    expect(tab.sent()).toHaveLength(3);
    await tab.world.advance(1);
    expect(tab.sent()).toHaveLength(4);
  });
});

describe('a server that asks for a long pause', () => {
  const limited = async () => {
    const tab = await openTab();
    await tab.give();
    await tab.world.last().respond('', { status: 429, headers: { 'retry-after': '120' } });
    return tab;
  };

  it('gets a manual check after ten seconds, and not sooner', async () => {
    const tab = await limited();
    tab.effects.checkNow();
    await tab.world.advance(9999);
    expect(tab.sent()).toHaveLength(2);
    await tab.world.advance(1);
    expect(tab.sent()).toHaveLength(3);
  });

  it('gets no request from a page that is hidden and shown, wakes, or comes online', async () => {
    const tab = await limited();
    await tab.world.hide();
    await tab.world.show();
    await tab.world.wake();
    await tab.world.goOnline();
    await tab.world.advance(119_999);
    expect(tab.sent()).toHaveLength(2);
    await tab.world.advance(1);
    expect(tab.sent()).toHaveLength(3);
  });
});
