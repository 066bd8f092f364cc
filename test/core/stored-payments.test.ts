import { describe, expect, it } from 'vitest';
import { parseStoredPaymentsToken } from '../../src/contract/index.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { forgedFields, forgedStorage, valid } from './forged-storage.ts';
import { openTab, type Tab, type TabOptions } from './open-tab.ts';
import { clientSecret, sessionOf, viewOf } from './views.ts';

const minute = 60_000;
const own = { reference: 'order-1001-1', clientSecret };

/** A browser in which a checkout was opened before, and closed. */
async function visited({ changes = {}, claimed = false, ...options }: Visit = {}): Promise<FakeBrowser> {
  const tab = await openTab(options);
  await tab.give(changes);
  if (claimed) tab.effects.storeClaim(true);
  await tab.close();
  return tab.browser;
}
type Visit = TabOptions & { changes?: Parameters<typeof viewOf>[0]; claimed?: boolean };

/** The stored payments that the tab's last request names. */
const namedBy = (tab: Tab) => parseStoredPaymentsToken(tab.world.last().headers.get('checkout-secret') ?? '');

const entriesOf = (browser: FakeBrowser): Record<string, unknown>[] =>
  JSON.parse(browser.readStored() ?? '[]');

describe('a request for a session', () => {
  it.each(['{}', '{"orderId":"1001"}', '{"orderId":"1002"}'])(
    'names the stored payments, whichever order the page is for: %s',
    async (body) => {
      const tab = await openTab({ browser: await visited(), body });
      expect(tab.sent()).toEqual(['POST ']);
      expect(namedBy(tab)).toEqual([own]);
      expect(tab.world.last().init.body).toBe(body);
    },
  );

  it.each([
    [401, 'session_unauthorized'],
    [403, 'forbidden'],
    [503, 'service_unavailable'],
  ])('shows nothing of what is stored when it is refused with %i', async (status, code) => {
    const tab = await openTab({ browser: await visited({ claimed: true }) });
    await tab.refuse(status, code);
    expect(tab.events).toMatchObject([{ type: 'createFailed', error: { code }, stored: undefined }]);
  });

  it('never takes a secret to another server', async () => {
    const tab = await openTab({ browser: await visited(), baseUrl: '/checkout/sessions/x' });
    expect(tab.world.last().headers.has('checkout-secret')).toBe(false);
  });

  it('names the last used payment first, and ten at most', async () => {
    const browser = createFakeBrowser();
    for (let order = 1; order <= 12; order += 1) {
      await visited({ browser, body: '{}', changes: { reference: `order-${order}` } });
    }
    await visited({ browser, changes: { reference: 'order-5' } });
    const references = namedBy(await openTab({ browser })).map(({ reference }) => reference);
    expect(references).toEqual([5, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((order) => `order-${order}`));
  });

  it('names the payment whose session it renews, where nothing can be stored, too', async () => {
    const blocked = { ...createFakeBrowser(), writeStored: () => {} };
    const tab = await openTab({ browser: blocked });
    await tab.give();
    await tab.refuse(401, 'session_unauthorized');
    expect(tab.types().at(-1)).toBe('checkFailed');
    await tab.again('existing');
    expect(tab.world.last().headers.get('prefer')).toBe('payment=existing');
    expect(namedBy(tab)).toEqual([own]);
  });
});

it('a page without a network may show the stored reference and the claim if it names the order', async () => {
  const stored = { reference: 'order-1001-1', isClaimed: true };
  for (const order of [{}, { body: '{}', orderKey: '1001' }]) {
    const tab = await openTab({ ...order, browser: await visited({ ...order, claimed: true }) });
    await tab.world.last().fail();
    expect(tab.events).toMatchObject([{ type: 'createFailed', stored }]);
  }
});

it('a failed request for a session is not repeated by a hidden page, and at once by one that is shown', async () => {
  const { world, effects } = await openTab();
  await world.last().fail();
  await world.hide();
  const after = { code: 'network_error' } as never;
  void effects.create({ type: 'createSession', failures: 1, after });
  await world.advance(10 * minute);
  expect(world.requests).toHaveLength(1);
  await world.show();
  expect(world.requests).toHaveLength(2);
});

describe('a transfer claim', () => {
  it('holds after a reload, where the server returns the same payment', async () => {
    const browser = await visited({ claimed: true });
    for (let round = 0; round < 2; round += 1) {
      const tab = await openTab({ browser });
      await tab.give();
      expect(tab.types()).toEqual(['sessionReceived', 'claimed']);
      await tab.close();
    }
  });

  it('does not apply to another payment that the view describes', async () => {
    const changes = { paymentReference: 'order-1001-0' };
    const tab = await openTab({ browser: await visited({ claimed: true }) });
    await tab.give(changes);
    expect(tab.types()).toEqual(['sessionReceived']);
    tab.effects.storeClaim(true);
    await tab.close();
    const next = await openTab({ browser: tab.browser });
    await next.give(changes);
    expect(next.types()).toEqual(['sessionReceived', 'claimed']);
  });

  it('keeps its first time over several reloads', async () => {
    const browser = await visited({ claimed: true });
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
});

describe('the storage', () => {
  it('contains each payment once, with its secret and a hash of the order', async () => {
    const body = '{"email":"ada@example.com"}';
    const browser = await visited({ body, claimed: true });
    await visited({ browser, body });
    expect(entriesOf(browser)).toEqual([
      {
        ...own,
        server: '/checkout',
        order: expect.stringMatching(/^[0-9a-f]{1,16}$/),
        sentAfter: 0,
        sentAtMs: expect.any(Number),
      },
    ]);
  });

  it.each(['paid', 'failed', 'reversed', 'amountMismatch', 'replaced'] as const)(
    'forgets a payment an hour after it was first seen %s',
    async (outcome) => {
      const tab = await openTab();
      await tab.give();
      await tab.see({ outcome });
      await tab.close();
      const { date } = tab.world.environment;
      const namedAfter = async (ms: number) => {
        const later = await openTab({ browser: tab.browser, before: (world) => world.setDate(date() + ms) });
        return namedBy(later).length;
      };
      expect([await namedAfter(59 * minute), await namedAfter(61 * minute)]).toEqual([1, 0]);
      expect(await namedAfter(-61 * minute)).toBe(0);
    },
  );

  it.each(forgedStorage)('counts as empty if another script has written it: %s', async (_name, text) => {
    const browser = createFakeBrowser();
    browser.writeStored(text);
    const tab = await openTab({ browser });
    expect(tab.sent()).toEqual(['POST ']);
    expect(tab.world.last().headers.has('checkout-secret')).toBe(false);
    await tab.give();
    expect(tab.types()).toEqual(['sessionReceived']);
    expect(entriesOf(browser)[0]).toMatchObject(own);
  });

  it.each(forgedFields)('does not change what the server returns: with %s', async (_name, more) => {
    const browser = createFakeBrowser();
    browser.writeStored(JSON.stringify([{ ...valid, ...more }]));
    const tab = await openTab({ browser });
    await tab.give();
    expect(tab.events[0]).toMatchObject({ type: 'sessionReceived', session: viewOf() });
    expect(tab.world.reports).toEqual([]);
    expect(browser.readStored()).not.toContain('6666666666');
  });
});
