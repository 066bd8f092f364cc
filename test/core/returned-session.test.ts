import { describe, expect, it } from 'vitest';
import type { OrderOptions } from '../../src/core/storage.ts';
import { createLink } from '../../src/entry/redirect.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { openTab, type Tab, type TabOptions } from './open-tab.ts';
import { clientSecret } from './views.ts';

const link = { reference: 'order-1001-1', authorizationUrl: 'https://pay.example/1', clientSecret };

/** A browser that is redirected to a payment page. */
async function redirect(
  order: Partial<Omit<OrderOptions, 'environment'>> = {},
  body: object = link,
  browser: FakeBrowser = createFakeBrowser(),
) {
  const { environment, last } = createFakeEnvironment(0.5, browser);
  const created = createLink({ environment, baseUrl: '/checkout', body: '{"orderId":"1001"}', ...order });
  // The test handles a rejection later.
  created.catch(() => {});
  await last().respond(body, { status: 201 });
  return { browser, created };
}

/** The page to which that browser returns. */
const returnTo = (options: TabOptions = {}, reference?: string) =>
  openTab({ returned: { reference }, ...options });

it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', ''])(
  'a link to %j is an invalid response, and stores nothing',
  async (authorizationUrl) => {
    const { created, browser } = await redirect({}, { ...link, authorizationUrl });
    await expect(created).rejects.toMatchObject({ code: 'invalid_response' });
    expect((await returnTo({ browser })).events).toMatchObject([{ error: { code: 'session_unknown' } }]);
  },
);

describe('a return', () => {
  it('retrieves the payment that the URL names, with its own secret, and creates none', async () => {
    for (const body of ['{"orderId":"1001"}', '{"orderId":"2"}', '{}']) {
      const { browser } = await redirect();
      const tab = await returnTo({ browser, body }, 'order-1001-1');
      expect(tab.sent()).toEqual(['GET /order-1001-1']);
      expect(tab.events).toMatchObject([{ type: 'storedFound', stored: { reference: 'order-1001-1' } }]);
      expect(tab.world.last().headers.get('checkout-secret')).toBe(clientSecret);
      await tab.see({ outcome: 'paid', status: 'succeeded' });
      expect(tab.events[1]).toMatchObject({ type: 'sessionReceived', session: { outcome: 'paid' } });
      expect(tab.sent().join()).not.toContain('POST');
    }
  });

  it.each([undefined, 'service-id-1'])(
    'retrieves the last payment of the order that the page names, where the URL names %s',
    async (reference) => {
      const { browser } = await redirect();
      await redirect({ body: '{"orderId":"2"}' }, { ...link, reference: 'order-2-1' }, browser);
      expect((await returnTo({ browser }, reference)).sent()).toEqual(['GET /order-1001-1']);
    },
  );

  it('selects among several payments only by the URL or the order', async () => {
    const { browser } = await redirect({ body: '{}' });
    await redirect({ body: '{}' }, { ...link, reference: 'order-2-1' }, browser);
    expect((await returnTo({ browser, body: '{}' }, 'order-1001-1')).sent()).toEqual(['GET /order-1001-1']);
    for (const reference of [undefined, '', 'order-9999-1']) {
      const tab = await returnTo({ browser, body: '{}' }, reference);
      expect(tab.events).toMatchObject([{ type: 'createFailed', error: { code: 'session_unknown' } }]);
      expect(tab.sent()).toEqual([]);
    }
  });

  it('asks for a new secret of the same payment where the secret is refused', async () => {
    const tab = await returnTo({ browser: (await redirect()).browser });
    await tab.refuse(401, 'session_unauthorized');
    expect(tab.world.last().headers.get('prefer')).toBe('payment=existing');
    await tab.give();
    expect(tab.events[1]).toMatchObject({ type: 'sessionReceived', session: { reference: 'order-1001-1' } });
  });

  it.each<[string, (tab: Tab) => Promise<void>]>([
    ['refuses the shopper, too', (tab) => tab.refuse(403, 'forbidden')],
    ['returns another payment', (tab) => tab.give({ reference: 'order-2-1' })],
  ])('fails as session_unknown where the server refuses the secret and %s', async (_name, respond) => {
    const tab = await returnTo({ browser: (await redirect()).browser });
    await tab.refuse(401, 'session_unauthorized');
    await respond(tab);
    expect(tab.events[1]).toMatchObject({ type: 'createFailed', error: { code: 'session_unknown' } });
  });

  it('is retried while the server cannot be reached, with its reference', async () => {
    const tab = await returnTo({ browser: (await redirect()).browser });
    await tab.refuse(503, 'service_unavailable');
    expect(tab.events[1]).toMatchObject({
      error: { code: 'service_unavailable' },
      stored: { reference: 'order-1001-1' },
    });
    await tab.again();
    expect(tab.sent()).toEqual(['GET /order-1001-1', 'GET /order-1001-1']);
  });
});
