import { describe, expect, it } from 'vitest';
import { settle } from '../../settle.ts';
import { createFakeBrowser, type FakeBrowser } from '../fake-browser.ts';
import { openTab, type Tab } from '../open-tab.ts';
import { clientSecret, headersOf, serviceTimeMs, sessionOf, viewOf } from '../views.ts';

const wait = 25_000;

/** Tabs of one browser that show the same payment, each with its own POST. */
async function openTabs(count: number, browser: FakeBrowser = createFakeBrowser()): Promise<Tab[]> {
  const tabs: Tab[] = [];
  for (let index = 0; index < count; index += 1) {
    const tab = await openTab({ browser, body: '{}' });
    if (index > 0) await tab.see();
    await tab.give();
    tabs.push(tab);
  }
  return tabs;
}

const openRequests = (tabs: Tab[]): number[] => tabs.map(({ world }) => world.open());

/** Advances the time of every tab. */
async function advance(tabs: Tab[], ms: number): Promise<void> {
  for (const { world } of tabs) await world.advance(ms);
  await settle();
}

describe('several tabs', () => {
  it('share one open request', async () => {
    const tabs = await openTabs(3);
    expect(openRequests(tabs)).toEqual([1, 0, 0]);
    await advance(tabs, 20_000);
    expect(openRequests(tabs)).toEqual([1, 0, 0]);
  });

  it('receive the leader’s responses: the view, its ETag, and the service’s clock', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    await first.see({ chargedAmount: 7 });
    expect(second.events.at(-1)).toEqual({ type: 'viewReceived', view: viewOf({ chargedAmount: 7 }) });
    await first.world.advance(wait);
    await first.world.last().respond(undefined, { status: 304, headers: headersOf('b') });
    await settle();
    expect(second.types().at(-1)).toBe('unchanged');
    // When it leads, it uses the shared ETag.
    await first.close();
    expect(second.world.last().headers.get('if-none-match')).toBe('"b"');
  });

  it('never share the secret', async () => {
    const browser = createFakeBrowser();
    const [first] = (await openTabs(2, browser)) as [Tab, Tab];
    await first.see({ chargedAmount: 7 });
    expect(browser.messages.length).toBeGreaterThan(0);
    expect(JSON.stringify(browser.messages)).not.toContain(clientSecret);
  });

  it('all show a paid payment and a second transfer, and one of them polls', async () => {
    const tabs = (await openTabs(2)) as [Tab, Tab];
    await tabs[0].see({ outcome: 'paid', status: 'succeeded' });
    expect(tabs[1].events.at(-1)).toMatchObject({ view: { outcome: 'paid' } });
    expect(openRequests(tabs)).toEqual([0, 0]);
    await advance(tabs, 15_000);
    expect(openRequests(tabs)).toEqual([1, 0]);
    await tabs[0].see({ outcome: 'paid', status: 'succeeded', orderChargedAmount: 2_500_000 }, 'c');
    expect(tabs[1].events.at(-1)).toMatchObject({ view: { orderChargedAmount: 2_500_000 } });
    await advance(tabs, 14_999);
    expect(openRequests(tabs)).toEqual([0, 0]);
  });

  it('receive the other payment that paid their order', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    const paid = { outcome: 'paid', status: 'succeeded', paymentReference: 'order-1001-0' } as const;
    await first.see(paid);
    expect(second.events.at(-1)).toEqual({ type: 'viewReceived', view: viewOf(paid) });
  });

  it('ignore tabs of an older version, which share fewer fields', async () => {
    const browser = createFakeBrowser();
    const [tab] = (await openTabs(1, browser)) as [Tab];
    const heard = tab.events.length;
    const old = browser.openChannel('/checkout/sessions/order-1001-1');
    old.postMessage({ quietMs: wait, view: viewOf({ outcome: 'paid' }) });
    await settle();
    expect(tab.events.length).toBe(heard);
  });

  it.each(['closed', 'hidden', 'frozen', 'left'])('get another leader when the leader is %s', async (how) => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    if (how === 'closed') await first.close();
    if (how === 'hidden') await first.world.hide();
    if (how === 'frozen') await first.world.dispatch('freeze');
    if (how === 'left') await first.world.dispatch('pagehide');
    await settle();
    expect(openRequests([first, second])).toEqual([0, 1]);
    expect(second.world.last().headers.get('prefer')).toBe('wait=25');
  });

  it('check once when they are shown again, and leave polling to the leader', async () => {
    const tabs = (await openTabs(2)) as [Tab, Tab];
    await tabs[0].world.hide();
    await settle();
    await tabs[0].world.show();
    expect(tabs[0].world.last().headers.get('prefer')).toBe(null);
    await tabs[0].see();
    await advance(tabs, 20_000);
    expect(openRequests(tabs)).toEqual([0, 1]);
  });

  it('of two payments poll for both', async () => {
    const browser = createFakeBrowser();
    const first = await openTab({ browser, orderKey: '1' });
    await first.give();
    const second = await openTab({ browser, orderKey: '2' });
    await second.give({ reference: 'order-1002-1' });
    expect(openRequests([first, second])).toEqual([1, 1]);
  });

  it('leave no channel or lock behind', async () => {
    const browser = createFakeBrowser();
    for (const tab of await openTabs(3, browser)) await tab.close();
    expect([browser.openChannels(), browser.heldLocks(), browser.waitingForLocks()]).toEqual([0, 0, 0]);
  });
});

describe('a transfer claim in one tab', () => {
  const claims = (tab: Tab) => tab.types().filter((type) => type === 'claimed' || type === 'withdrawn');

  it('reaches the others, and so does its withdrawal', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    first.effects.storeClaim(true);
    await settle();
    expect([claims(first), claims(second)]).toEqual([[], ['claimed']]);
    first.effects.storeClaim(false);
    await settle();
    expect([claims(first), claims(second)]).toEqual([[], ['claimed', 'withdrawn']]);
  });

  it('reaches a frozen tab once, when it is shown again', async () => {
    const browser = createFakeBrowser();
    const [, second] = (await openTabs(2, browser)) as [Tab, Tab];
    const stored = `${browser.readStored()}`.replace('}', ',"sentAfter":0}');
    browser.writeStored(stored, second.world.dispatchNow);
    await settle();
    expect(claims(second)).toEqual([]);
    await second.world.wake();
    await second.world.wake();
    expect(claims(second)).toEqual(['claimed']);
  });

  it('from before more money arrived is ignored', async () => {
    const browser = createFakeBrowser();
    const [first, second] = (await openTabs(2, browser)) as [Tab, Tab];
    await first.see({ chargedAmount: 7 });
    browser.writeStored(`${browser.readStored()}`.replace('}', ',"sentAfter":0}'));
    await settle();
    expect([claims(first), claims(second)]).toEqual([[], []]);
  });

  it('for one payment of the order does not hold for another', async () => {
    const browser = createFakeBrowser();
    const [first, second] = (await openTabs(2, browser)) as [Tab, Tab];
    await first.see({ paymentReference: 'order-1001-0' });
    browser.writeStored(`${browser.readStored()}`.replace('}', ',"sentAfter":0}'));
    await settle();
    expect(claims(second)).toEqual([]);
    first.effects.storeClaim(true);
    await settle();
    expect(claims(second)).toEqual(['claimed']);
  });

  it('for another order is ignored', async () => {
    const browser = createFakeBrowser();
    const first = await openTab({ browser, orderKey: '1' });
    await first.give();
    const second = await openTab({ browser, orderKey: '2' });
    await second.give({ reference: 'order-1002-1' });
    first.effects.storeClaim(true);
    await settle();
    expect(claims(second)).toEqual([]);
  });

  it('is not repeated where nothing can be written', async () => {
    const tab = await openTab({
      before: ({ environment }) =>
        Object.assign(environment, {
          writeStored: () => {
            throw new DOMException('Full', 'QuotaExceededError');
          },
        }),
    });
    await tab.give();
    tab.effects.storeClaim(true);
    await tab.world.wake();
    expect(claims(tab)).toEqual([]);
  });
});

describe('a follower', () => {
  it('polls after one and a half waits of silence, and not before', async () => {
    const [, second] = (await openTabs(2)) as [Tab, Tab];
    await second.world.advance(1.5 * wait - 1);
    expect(second.world.open()).toBe(0);
    await second.world.advance(1);
    expect(second.world.open()).toBe(1);
    expect(second.world.last().headers.get('prefer')).toBe('wait=25');
  });

  it('waits as long again after its own poll', async () => {
    const [, second] = (await openTabs(2)) as [Tab, Tab];
    await second.world.advance(1.5 * wait);
    await second.world.advance(wait);
    await second.world.last().respond(undefined, { status: 304, headers: headersOf('a') });
    await second.world.advance(1.5 * wait - 1);
    expect(second.world.open()).toBe(0);
    await second.world.advance(1);
    expect(second.world.open()).toBe(1);
  });

  it('polls eventually, whatever delay a shared response announces', async () => {
    const browser = createFakeBrowser();
    const [, second] = (await openTabs(2, browser)) as [Tab, Tab];
    browser.openChannel('/checkout/sessions/order-1001-1#2').postMessage({ quietMs: 1e12 });
    await settle();
    await second.world.advance(450_000 - 1);
    expect(second.world.open()).toBe(0);
    await second.world.advance(1);
    expect(second.world.open()).toBe(1);
  });

  it('keeps waiting while the leader shares that nothing has changed', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    for (let round = 0; round < 4; round += 1) {
      await advance([first, second], wait);
      await first.world.last().respond(undefined, { status: 304, headers: headersOf('a') });
      await settle();
    }
    expect(second.sent().filter((request) => request.startsWith('GET'))).toHaveLength(1);
  });

  it('retrieves a session at once while it does not know the service’s clock', async () => {
    const browser = createFakeBrowser();
    await openTabs(1, browser);
    const given = await openTab({ browser, session: sessionOf() });
    expect(given.world.open()).toBe(1);
  });

  it('checks on request, and shares the response', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    second.effects.checkNow();
    await settle();
    expect(second.world.last().headers.get('prefer')).toBe(null);
    await second.see({ chargedAmount: 9 }, 'c');
    expect(first.events.at(-1)).toMatchObject({ view: { chargedAmount: 9 } });
    await first.world.last().respond(undefined, { status: 304 });
    await first.world.advance(3000);
    expect(first.world.last().headers.get('if-none-match')).toBe('"c"');
  });

  it('ignores a response older than its own', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    second.effects.checkNow();
    await settle();
    await second.see({ chargedAmount: 9 }, 'c', { 'checkout-service-time': `${serviceTimeMs + 5000}` });
    await first.see({ chargedAmount: 7 }, 'b', { 'checkout-service-time': `${serviceTimeMs + 4000}` });
    expect(second.events.at(-1)).toMatchObject({ view: { chargedAmount: 9 } });
  });

  it('checks once when the leader knows a view that it has missed, and keeps its own ETag', async () => {
    const browser = createFakeBrowser();
    const [first, second] = (await openTabs(2, browser)) as [Tab, Tab];
    const group = browser.openChannel('/checkout/sessions/order-1001-1#2');
    for (let round = 0; round < 3; round += 1) {
      group.postMessage({ etag: '"b"', quietMs: wait, serviceTimeMs });
      await settle();
    }
    expect(second.types().at(-1)).toBe('sessionReceived');
    const check = second.world.last().headers;
    expect([check.get('if-none-match'), check.get('prefer')]).toEqual(['"a"', null]);
    // A server whose processes compute different ETags is not polled repeatedly.
    await second.world.last().respond(undefined, { status: 304, headers: headersOf('a') });
    group.postMessage({ etag: '"b"', quietMs: wait, serviceTimeMs });
    await settle();
    expect([second.world.open(), second.sent().length]).toEqual([0, 3]);
    expect(first.world.mostOpen()).toBe(1);
  });

  it('ignores its own response when another tab has shared a newer one meanwhile', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    second.effects.checkNow();
    await settle();
    await first.see({ outcome: 'paid' }, 'b', { 'checkout-service-time': `${serviceTimeMs + 5000}` });
    await second.see({}, 'a', { 'checkout-service-time': `${serviceTimeMs + 4000}` });
    expect(second.events.at(-1)).toMatchObject({ view: { outcome: 'paid' } });
    expect(first.events.at(-1)).toMatchObject({ view: { outcome: 'paid' } });
    await first.close();
    expect(second.world.last().headers.get('if-none-match')).toBe('"b"');
  });

  it('shows its own next response although the service’s clock was set back', async () => {
    const [, second] = (await openTabs(2)) as [Tab, Tab];
    second.effects.checkNow();
    await settle();
    await second.see({ outcome: 'paid' }, 'b', { 'checkout-service-time': `${serviceTimeMs - 60_000}` });
    expect(second.events.at(-1)).toMatchObject({ view: { outcome: 'paid' } });
  });

  it.each([
    null,
    'paid',
    {},
    { quietMs: 'x' },
    { quietMs: 1, view: { outcome: 'paid' } },
    { quietMs: 1, view: viewOf({ reference: 'order-9', outcome: 'paid' }) },
  ])('ignores messages that are no response about its payment: %j', async (message) => {
    const browser = createFakeBrowser();
    const [, second] = (await openTabs(2, browser)) as [Tab, Tab];
    const before = second.events.length;
    browser.openChannel('/checkout/sessions/order-1001-1#2').postMessage(message);
    await settle();
    expect(second.events.length).toBe(before);
  });
});

describe('a browser without sharing among tabs', () => {
  const broken: [string, (browser: FakeBrowser) => FakeBrowser][] = [
    [
      'refuses channels',
      (browser) => ({
        ...browser,
        openChannel: () => {
          throw new DOMException('No.', 'SecurityError');
        },
      }),
    ],
    [
      'has no locks',
      (browser) => ({
        ...browser,
        requestLock: () => {
          throw new TypeError('There are no locks.');
        },
      }),
    ],
    [
      'refuses locks',
      (browser) => ({
        ...browser,
        requestLock: () => Promise.reject(new DOMException('No.', 'SecurityError')),
      }),
    ],
  ];

  it.each(broken)('because it %s polls in every tab', async (_how, change) => {
    const tabs = (await openTabs(2, change(createFakeBrowser()))) as [Tab, Tab];
    expect(openRequests(tabs)).toEqual([1, 1]);
    await tabs[0].world.hide();
    await tabs[0].world.show();
    await tabs[1].close();
    expect(openRequests(tabs)).toEqual([1, 0]);
  });
});
