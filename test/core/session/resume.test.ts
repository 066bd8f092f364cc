import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../src/contract/index.ts';
import { settle } from '../../settle.ts';
import { createFakeBrowser } from '../fake-browser.ts';
import { createFakeEnvironment } from '../fake-environment.ts';
import { openTab, type TabOptions } from '../open-tab.ts';
import { clientSecret, serviceTimeMs, sessionOf, viewOf } from '../views.ts';

const check = 'GET /order-1001-1';
const minute = 60_000;

/** A browser in which a checkout was opened before, and closed. */
async function visited(options: TabOptions = {}, wasSent = false) {
  const tab = await openTab(options);
  await tab.give();
  if (wasSent) tab.effects.storeClaim(true);
  await tab.close();
  return tab.browser;
}

const named = { outcome: 'paid', status: 'succeeded' } as const;

describe('a reload', () => {
  it('announces a stored payment exactly where one is stored', async () => {
    const browser = await visited();
    expect((await openTab({ browser })).isFound()).toBe(true);
    expect((await openTab({ browser, body: '{"orderId":"1002"}' })).isFound()).toBe(false);
    expect((await openTab()).isFound()).toBe(false);
  });

  it('requests a session where nothing is stored', async () => {
    expect((await openTab()).sent()).toEqual(['POST ']);
  });

  it.each<Partial<PaymentView>>([
    named,
    { outcome: 'paid', receivedLate: true },
    { outcome: 'failed', status: 'failed' },
    { outcome: 'reversed', status: 'reversed' },
    { outcome: 'amountMismatch', status: 'succeeded' },
    { outcome: 'expired', status: 'expired' },
  ])('retrieves the stored payment, and requests no session when it is %j', async (changes) => {
    const tab = await openTab({ browser: await visited() });
    expect(tab.sent()).toEqual([check]);
    expect(tab.world.last().headers.get('authorization')).toBe(`Bearer ${clientSecret}`);
    await tab.see(changes);
    expect(tab.sent().join()).not.toContain('POST');
    expect(tab.events[0]).toMatchObject({ type: 'sessionReceived', session: viewOf(changes) });
  });

  it('shows the other payment that paid the order, through the stored session', async () => {
    const browser = await visited();
    const tab = await openTab({ browser });
    const changes = { ...named, paymentReference: 'order-1001-0' };
    await tab.see(changes);
    expect(tab.events[0]).toMatchObject({ type: 'sessionReceived', session: viewOf(changes) });
    await tab.close();
    expect((await openTab({ browser })).sent()).toEqual([check]);
  });

  it('does not apply a claim for one payment to another', async () => {
    const browser = await visited({}, true);
    const tab = await openTab({ browser });
    await tab.see({ paymentReference: 'order-1001-0' });
    expect(tab.sent()).toEqual([check, 'POST ']);
    await tab.give({ paymentReference: 'order-1001-0' });
    expect(tab.types()).toEqual(['sessionReceived']);
    tab.effects.storeClaim(true);
    await tab.close();
    const next = await openTab({ browser });
    await next.see({ paymentReference: 'order-1001-0' });
    expect([next.sent(), next.types()]).toEqual([
      [check, check],
      ['sessionReceived', 'claimed'],
    ]);
  });

  it('requests a session while the payment waits for money', async () => {
    const tab = await openTab({ browser: await visited() });
    await tab.see();
    expect(tab.sent()).toEqual([check, 'POST ']);
    expect(tab.isDismissed()).toBe(false);
    await tab.give();
    expect(tab.types()).toEqual(['sessionReceived']);
    expect(tab.sent()).toEqual([check, 'POST ', check]);
  });

  it('stores the other payment when the cart has changed', async () => {
    const browser = await visited();
    const tab = await openTab({ browser });
    await tab.see();
    await tab.give({ reference: 'order-1001-2' });
    await tab.close();
    expect((await openTab({ browser })).sent()).toEqual(['GET /order-1001-2']);
  });

  it('requests a session when the order has a newer payment', async () => {
    const tab = await openTab({ browser: await visited() });
    await tab.see({ outcome: 'replaced' });
    expect(tab.sent()).toEqual([check, 'POST ']);
    expect(tab.isDismissed()).toBe(true);
  });

  it.each([
    [403, 'forbidden'],
    [404, 'not_found'],
    [400, 'invalid_request'],
  ])('shows the stored payment when the server refuses a session with %i', async (status, code) => {
    const tab = await openTab({ browser: await visited() });
    await tab.see({ chargedAmount: 5 });
    await tab.refuse(status, code);
    expect(tab.events).toMatchObject([{ type: 'sessionReceived', session: { chargedAmount: 5 } }]);
  });

  it('shows the stored payment when the server keeps failing, and not before', async () => {
    const tab = await openTab({ browser: await visited() });
    for (const failures of [1, 2, 3]) {
      await tab.see();
      await tab.refuse(503, 'service_unavailable');
      expect(tab.types().at(-1)).toBe('createFailed');
      await tab.again(failures);
    }
    await tab.see();
    await tab.refuse(503, 'service_unavailable');
    expect(tab.types().at(-1)).toBe('sessionReceived');
  });

  it('retrieves the stored payment again after a failure', async () => {
    const tab = await openTab({ browser: await visited() });
    await tab.world.last().fail();
    expect(tab.types()).toEqual(['createFailed']);
    await tab.again();
    expect(tab.sent()).toEqual([check, check]);
  });

  it('removes a secret that the server no longer accepts', async () => {
    const browser = await visited();
    const tab = await openTab({ browser });
    await tab.refuse(401, 'session_unauthorized');
    expect(tab.sent()).toEqual([check, 'POST ']);
    expect(browser.readStored()).not.toContain(clientSecret);
  });

  it('requests a session when the stored one is no longer known', async () => {
    const tab = await openTab({ browser: await visited() });
    await tab.refuse(404, 'not_found');
    expect(tab.sent()).toEqual([check, 'POST ']);
    expect(tab.isDismissed()).toBe(true);
  });

  it('for another order or server finds nothing', async () => {
    const browser = await visited();
    expect((await openTab({ browser, body: '{"orderId":"1002"}' })).sent()).toEqual(['POST ']);
    expect((await openTab({ browser, orderKey: '1001' })).sent()).toEqual(['POST ']);
    expect((await openTab({ browser, baseUrl: '/checkout/sessions/x' })).sent()).toEqual([
      'POST /x/sessions',
    ]);
  });

  it('finds the order by its key, whatever the body says', async () => {
    const browser = await visited({ orderKey: '1001', body: '{"token":"a"}' });
    const tab = await openTab({ browser, orderKey: '1001', body: '{"token":"b"}' });
    expect(tab.sent()).toEqual([check]);
    await tab.see(named);
    expect(tab.types()).toEqual(['sessionReceived']);
  });

  it('finds the session that the server passed to the page', async () => {
    const { browser, close } = await openTab({ session: sessionOf() });
    await close();
    expect((await openTab({ browser })).sent()).toEqual([check]);
  });

  it('never uses the stored session for a new account', async () => {
    const tab = await openTab({ browser: await visited() });
    await tab.see({ outcome: 'expired', status: 'expired' });
    await tab.again(0);
    expect(tab.sent().at(-1)).toBe('POST ');
  });
});

describe('a reload where the page does not identify the order', () => {
  const options = { body: '{}' };

  it.each<Partial<PaymentView>>([{}, named, { outcome: 'failed' }])(
    'lets the server identify the order: %j',
    async (changes) => {
      const tab = await openTab({ ...options, browser: await visited(options) });
      await tab.see(changes);
      expect(tab.sent()).toEqual([check, 'POST ']);
    },
  );

  it('shows a paid payment when the server refuses', async () => {
    const tab = await openTab({ ...options, browser: await visited(options) });
    await tab.see(named);
    await tab.refuse(403, 'forbidden');
    expect(tab.events).toMatchObject([{ type: 'sessionReceived', session: { outcome: 'paid' } }]);
  });

  it('never shows an older paid payment while the server fails', async () => {
    const tab = await openTab({ ...options, browser: await visited(options) });
    await tab.again(4);
    await tab.see(named);
    await tab.refuse(503, 'service_unavailable');
    expect(tab.types()).toEqual(['createFailed']);
  });

  it('offers no new account in the first hour after expiry', async () => {
    const expiredFor = async (ms: number, wasSent = false) => {
      const tab = await openTab({ ...options, browser: await visited(options, wasSent) });
      const expiresAt = new Date(serviceTimeMs - ms).toISOString();
      await tab.see({ outcome: 'expired', status: 'expired', expiresAt });
      return tab.sent().includes('POST ');
    };
    expect(await expiredFor(59 * minute)).toBe(false);
    expect(await expiredFor(61 * minute)).toBe(true);
    expect(await expiredFor(61 * minute, true)).toBe(false);
  });
});

describe('a transfer claim', () => {
  it('holds after a reload, and no other account is requested', async () => {
    const tab = await openTab({ browser: await visited({}, true) });
    await tab.see();
    expect(tab.sent().join()).not.toContain('POST');
    expect(tab.types()).toEqual(['sessionReceived', 'claimed']);
    await tab.close();
    const again = await openTab({ browser: tab.browser });
    await again.see();
    expect(again.types()).toEqual(['sessionReceived', 'claimed']);
  });

  it('keeps its first time over several reloads', async () => {
    const browser = await visited({}, true);
    /** The claim's age in minutes when the page is loaded at that date of the phone. */
    const reload = async (dateMs: number) => {
      const tab = await openTab({ browser, session: sessionOf(), before: (world) => world.setDate(dateMs) });
      const [claim] = tab.events;
      await tab.close();
      return claim?.type === 'claimed' && (tab.world.environment.now() - (claim.atMs ?? Number.NaN)) / minute;
    };
    const { date } = createFakeEnvironment().environment;
    expect(await reload(date() + 4 * minute)).toBe(4);
    expect(await reload(date() + 7 * minute)).toBe(7);
    expect(await reload(date() - 60 * minute)).toBe(0);
  });

  it('gets a new time after a withdrawal', async () => {
    const browser = await visited({}, true);
    const tab = await openTab({ browser, session: sessionOf() });
    await tab.world.advance(4 * minute);
    tab.effects.storeClaim(false);
    tab.effects.storeClaim(true);
    const [stored] = Object.values(JSON.parse(browser.readStored() ?? '')) as { sentAtMs: number }[];
    expect(stored?.sentAtMs).toBe(tab.world.environment.date());
  });

  it('gets a new time for the rest after a part has arrived', async () => {
    const browser = await visited({}, true);
    const { date } = createFakeEnvironment().environment;
    const later = date() + 4 * minute;
    const session = sessionOf({ chargedAmount: 5 });
    await openTab({ browser, session, claimed: true, before: (world) => world.setDate(later) });
    expect(browser.readStored()).toContain(`"sentAfter":5,"sentAtMs":${later}`);
  });

  it('holds for a session that the server passes to the page', async () => {
    const tab = await openTab({ browser: await visited({}, true), session: sessionOf() });
    expect(tab.types()).toEqual(['claimed']);
    expect(tab.sent()).toEqual([check]);
  });

  it('does not hold after more money has arrived', async () => {
    const tab = await openTab({ browser: await visited({}, true) });
    await tab.see({ chargedAmount: 500 });
    await tab.give({ chargedAmount: 500 });
    expect(tab.types()).toEqual(['sessionReceived']);
  });

  it('does not hold after its withdrawal', async () => {
    const first = await openTab();
    await first.give();
    first.effects.storeClaim(true);
    first.effects.storeClaim(false);
    await first.close();
    const tab = await openTab({ browser: first.browser });
    await tab.see();
    await tab.give();
    expect(tab.types()).toEqual(['sessionReceived']);
  });

  it('does not hold for another payment', async () => {
    const first = await openTab();
    await first.give();
    first.effects.storeClaim(true);
    first.effects.stop();
    await first.again(0);
    await first.give({ reference: 'order-1001-2' });
    await first.close();
    const tab = await openTab({ browser: first.browser });
    await tab.see({ reference: 'order-1001-2' });
    await tab.give({ reference: 'order-1001-2' });
    expect(tab.types()).toEqual(['sessionReceived']);
  });
});

describe('the storage', () => {
  it('contains a reference and its secret, under a hash of the order', async () => {
    const browser = await visited({ body: '{"email":"ada@example.com"}' }, true);
    const stored = JSON.parse(browser.readStored() ?? '');
    expect(Object.values(stored)).toEqual([
      { reference: 'order-1001-1', clientSecret, sentAfter: 0, sentAtMs: expect.any(Number) },
    ]);
    expect(Object.keys(stored)).toEqual([expect.stringMatching(/^o[0-9a-f]{1,16}$/)]);
  });

  it('keeps the last ten orders', async () => {
    const browser = createFakeBrowser();
    for (let order = 1; order <= 12; order += 1) await visited({ browser, orderKey: `${order}` });
    expect(Object.keys(JSON.parse(browser.readStored() ?? ''))).toHaveLength(10);
    expect((await openTab({ browser, orderKey: '2' })).sent()).toEqual(['POST ']);
    expect((await openTab({ browser, orderKey: '3' })).sent()).toEqual([check]);
  });

  it.each(['', 'nonsense', 'null', '5', '[]', '{"o1":5}', '"x"'])(
    'with the content %j counts as empty',
    async (text) => {
      const browser = createFakeBrowser();
      browser.writeStored(text);
      const tab = await openTab({ browser });
      expect(tab.sent()).toEqual(['POST ']);
      await tab.give();
      await tab.close();
      expect((await openTab({ browser })).sent()).toEqual([check]);
    },
  );

  it('with an invalid entry for the order counts as empty', async () => {
    const browser = await visited();
    for (const entry of [
      null,
      5,
      {},
      { reference: 1, clientSecret: 2 },
      { reference: '', clientSecret: 'x' },
    ]) {
      const entries = JSON.parse(browser.readStored() ?? '{}');
      browser.writeStored(JSON.stringify({ [Object.keys(entries)[0] ?? '']: entry }));
      expect((await openTab({ browser })).sent()).toEqual(['POST ']);
    }
  });

  it.each(['readStored', 'writeStored'] as const)('that is blocked (%s) causes no error', async (method) => {
    const browser = createFakeBrowser();
    const blocked = {
      ...browser,
      [method]: () => {
        throw new DOMException('Blocked', 'SecurityError');
      },
    };
    for (let round = 0; round < 2; round += 1) {
      const tab = await openTab({ browser: blocked });
      expect(tab.sent()).toEqual(['POST ']);
      await tab.give();
      tab.effects.storeClaim(true);
      expect(tab.types()).toEqual(['sessionReceived']);
      expect(tab.sent()).toEqual(['POST ', check]);
      await tab.close();
    }
  });

  it('removes a session whose secret is refused during polling', async () => {
    const tab = await openTab();
    await tab.give();
    await tab.refuse(401, 'session_unauthorized');
    await settle();
    expect(tab.browser.readStored()).toBe('{}');
  });
});
