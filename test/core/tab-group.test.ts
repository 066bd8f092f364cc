import { describe, expect, it } from 'vitest';
import { settle } from '../settle.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';
import { openTab, type Tab } from './open-tab.ts';
import { clientSecret, headersOf, serviceTimeMs, sessionOf, viewOf } from './views.ts';

const wait = 25_000;

/** Tabs of one browser that show the same payment, each with the answer of its own POST. */
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

const asking = (tabs: Tab[]): number[] => tabs.map(({ world }) => world.open());

/** Time passes in all of them. */
async function advance(tabs: Tab[], ms: number): Promise<void> {
  for (const { world } of tabs) await world.advance(ms);
  await settle();
}

describe('several tabs', () => {
  it('have one request open between them', async () => {
    const tabs = await openTabs(3);
    expect(asking(tabs)).toEqual([1, 0, 0]);
    await advance(tabs, 20_000);
    expect(asking(tabs)).toEqual([1, 0, 0]);
  });

  it('hear what the one is answered: the view, its ETag, and the service’s clock', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    await first.see({ chargedAmount: 7 });
    expect(second.events.at(-1)).toEqual({ type: 'viewReceived', view: viewOf({ chargedAmount: 7 }) });
    await first.world.advance(wait);
    await first.world.last().answer(undefined, { status: 304, headers: headersOf('b') });
    await settle();
    expect(second.types().at(-1)).toBe('unchanged');
    // Should it have to ask by itself, it knows what is known.
    await first.close();
    expect(second.world.last().headers.get('if-none-match')).toBe('"b"');
  });

  it('never tell each other the secret', async () => {
    const browser = createFakeBrowser();
    const [first] = (await openTabs(2, browser)) as [Tab, Tab];
    await first.see({ chargedAmount: 7 });
    expect(browser.told.length).toBeGreaterThan(0);
    expect(JSON.stringify(browser.told)).not.toContain(clientSecret);
  });

  it('show together that it is paid, and that money has come twice; one of them asks', async () => {
    const tabs = (await openTabs(2)) as [Tab, Tab];
    await tabs[0].see({ outcome: 'paid', status: 'succeeded' });
    expect(tabs[1].events.at(-1)).toMatchObject({ view: { outcome: 'paid' } });
    expect(asking(tabs)).toEqual([0, 0]);
    await advance(tabs, 15_000);
    expect(asking(tabs)).toEqual([1, 0]);
    await tabs[0].see({ outcome: 'paid', status: 'succeeded', orderChargedAmount: 2_500_000 }, 'c');
    expect(tabs[1].events.at(-1)).toMatchObject({ view: { orderChargedAmount: 2_500_000 } });
    await advance(tabs, 14_999);
    expect(asking(tabs)).toEqual([0, 0]);
  });

  it('hear of the other payment that has paid their order', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    const paid = { outcome: 'paid', status: 'succeeded', paymentReference: 'order-1001-0' } as const;
    await first.see(paid);
    expect(second.events.at(-1)).toEqual({ type: 'viewReceived', view: viewOf(paid) });
  });

  it('do not listen to tabs of an older version, which pass on less of a view', async () => {
    const browser = createFakeBrowser();
    const [tab] = (await openTabs(1, browser)) as [Tab];
    const heard = tab.events.length;
    const old = browser.openChannel('/checkout/sessions/order-1001-1');
    old.postMessage({ quietMs: wait, view: viewOf({ outcome: 'paid' }) });
    await settle();
    expect(tab.events.length).toBe(heard);
  });

  it.each(['closed', 'hidden', 'frozen', 'left'])('are led by another when the one is %s', async (how) => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    if (how === 'closed') await first.close();
    if (how === 'hidden') await first.world.hide();
    if (how === 'frozen') await first.world.tell('freeze');
    if (how === 'left') await first.world.tell('pagehide');
    await settle();
    expect(asking([first, second])).toEqual([0, 1]);
    expect(second.world.last().headers.get('prefer')).toBe('wait=25');
  });

  it('look once when they are shown again, and leave the rest to the one', async () => {
    const tabs = (await openTabs(2)) as [Tab, Tab];
    await tabs[0].world.hide();
    await settle();
    await tabs[0].world.show();
    expect(tabs[0].world.last().headers.get('prefer')).toBe(null);
    await tabs[0].see();
    await advance(tabs, 20_000);
    expect(asking(tabs)).toEqual([0, 1]);
  });

  it('of two payments ask for both', async () => {
    const browser = createFakeBrowser();
    const first = await openTab({ browser, orderKey: '1' });
    await first.give();
    const second = await openTab({ browser, orderKey: '2' });
    await second.give({ reference: 'order-1002-1' });
    expect(asking([first, second])).toEqual([1, 1]);
  });

  it('leave nothing behind', async () => {
    const browser = createFakeBrowser();
    for (const tab of await openTabs(3, browser)) await tab.close();
    expect([browser.openChannels(), browser.heldLocks(), browser.waitingForLocks()]).toEqual([0, 0, 0]);
  });
});

describe('what the shopper has said in one tab', () => {
  const claims = (tab: Tab) => tab.types().filter((type) => type === 'claimed' || type === 'withdrawn');

  it('is said in the others, and so is that it was taken back', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    first.effects.saveClaim(true);
    await settle();
    expect([claims(first), claims(second)]).toEqual([[], ['claimed']]);
    first.effects.saveClaim(false);
    await settle();
    expect([claims(first), claims(second)]).toEqual([[], ['claimed', 'withdrawn']]);
  });

  it('is heard by one that was frozen when it is shown again, and once', async () => {
    const browser = createFakeBrowser();
    const [, second] = (await openTabs(2, browser)) as [Tab, Tab];
    const stored = `${browser.readStored()}`.replace('}', ',"sentAfter":0}');
    browser.writeStored(stored, second.world.tellPage);
    await settle();
    expect(claims(second)).toEqual([]);
    await second.world.wake();
    await second.world.wake();
    expect(claims(second)).toEqual(['claimed']);
  });

  it('before other money had come is not said again', async () => {
    const browser = createFakeBrowser();
    const [first, second] = (await openTabs(2, browser)) as [Tab, Tab];
    await first.see({ chargedAmount: 7 });
    browser.writeStored(`${browser.readStored()}`.replace('}', ',"sentAfter":0}'));
    await settle();
    expect([claims(first), claims(second)]).toEqual([[], []]);
  });

  it('of one of the order’s payments is not said of another', async () => {
    const browser = createFakeBrowser();
    const [first, second] = (await openTabs(2, browser)) as [Tab, Tab];
    await first.see({ paymentReference: 'order-1001-0' });
    browser.writeStored(`${browser.readStored()}`.replace('}', ',"sentAfter":0}'));
    await settle();
    expect(claims(second)).toEqual([]);
    first.effects.saveClaim(true);
    await settle();
    expect(claims(second)).toEqual(['claimed']);
  });

  it('of another payment means nothing', async () => {
    const browser = createFakeBrowser();
    const first = await openTab({ browser, orderKey: '1' });
    await first.give();
    const second = await openTab({ browser, orderKey: '2' });
    await second.give({ reference: 'order-1002-1' });
    first.effects.saveClaim(true);
    await settle();
    expect(claims(second)).toEqual([]);
  });

  it('stays said where nothing can be written', async () => {
    const tab = await openTab({
      before: ({ environment }) =>
        Object.assign(environment, {
          writeStored: () => {
            throw new DOMException('Full', 'QuotaExceededError');
          },
        }),
    });
    await tab.give();
    tab.effects.saveClaim(true);
    await tab.world.wake();
    expect(claims(tab)).toEqual([]);
  });
});

describe('a tab that follows', () => {
  it('asks by itself when it hears nothing for one and a half waits, and only then', async () => {
    const [, second] = (await openTabs(2)) as [Tab, Tab];
    await second.world.advance(1.5 * wait - 1);
    expect(second.world.open()).toBe(0);
    await second.world.advance(1);
    expect(second.world.open()).toBe(1);
    expect(second.world.last().headers.get('prefer')).toBe('wait=25');
  });

  it('listens as long again after it has asked by itself', async () => {
    const [, second] = (await openTabs(2)) as [Tab, Tab];
    await second.world.advance(1.5 * wait);
    await second.world.advance(wait);
    await second.world.last().answer(undefined, { status: 304, headers: headersOf('a') });
    await second.world.advance(1.5 * wait - 1);
    expect(second.world.open()).toBe(0);
    await second.world.advance(1);
    expect(second.world.open()).toBe(1);
  });

  it('is not silenced for good by a promise of word to come', async () => {
    const browser = createFakeBrowser();
    const [, second] = (await openTabs(2, browser)) as [Tab, Tab];
    browser.openChannel('/checkout/sessions/order-1001-1#2').postMessage({ quietMs: 1e12 });
    await settle();
    await second.world.advance(450_000 - 1);
    expect(second.world.open()).toBe(0);
    await second.world.advance(1);
    expect(second.world.open()).toBe(1);
  });

  it('goes on listening when it hears that nothing has changed', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    for (let round = 0; round < 4; round += 1) {
      await advance([first, second], wait);
      await first.world.last().answer(undefined, { status: 304, headers: headersOf('a') });
      await settle();
    }
    expect(second.asked().filter((asked) => asked.startsWith('GET'))).toHaveLength(1);
  });

  it('asks at once for a session of which it knows no clock', async () => {
    const browser = createFakeBrowser();
    await openTabs(1, browser);
    const given = await openTab({ browser, session: sessionOf() });
    expect(given.world.open()).toBe(1);
  });

  it('looks when somebody wants to know, and tells the others', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    second.effects.checkNow();
    await settle();
    expect(second.world.last().headers.get('prefer')).toBe(null);
    await second.see({ chargedAmount: 9 }, 'c');
    expect(first.events.at(-1)).toMatchObject({ view: { chargedAmount: 9 } });
    await first.world.last().answer(undefined, { status: 304 });
    await first.world.advance(3000);
    expect(first.world.last().headers.get('if-none-match')).toBe('"c"');
  });

  it('does not go back to what is older than it has seen', async () => {
    const [first, second] = (await openTabs(2)) as [Tab, Tab];
    second.effects.checkNow();
    await settle();
    await second.see({ chargedAmount: 9 }, 'c', { 'checkout-service-time': `${serviceTimeMs + 5000}` });
    await first.see({ chargedAmount: 7 }, 'b', { 'checkout-service-time': `${serviceTimeMs + 4000}` });
    expect(second.events.at(-1)).toMatchObject({ view: { chargedAmount: 9 } });
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

describe('a browser that lets tabs share nothing', () => {
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

  it.each(broken)('because it %s, has every tab ask', async (_how, change) => {
    const tabs = (await openTabs(2, change(createFakeBrowser()))) as [Tab, Tab];
    expect(asking(tabs)).toEqual([1, 1]);
    await tabs[0].world.hide();
    await tabs[0].world.show();
    await tabs[1].close();
    expect(asking(tabs)).toEqual([1, 0]);
  });
});
