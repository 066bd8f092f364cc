import { describe, expect, it } from 'vitest';
import { openTab } from './open-tab.ts';

const hour = 3_600_000;

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
});

describe('the first moment online', () => {
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
