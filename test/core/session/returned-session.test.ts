import { describe, expect, it } from 'vitest';
import { createLink } from '../../../src/core/session/checkout-link.ts';
import type { OrderOptions } from '../../../src/core/session/order-storage.ts';
import { settle } from '../../settle.ts';
import { createFakeBrowser, type FakeBrowser } from '../fake-browser.ts';
import { createFakeEnvironment } from '../fake-environment.ts';
import { openTab, type TabOptions } from '../open-tab.ts';
import { clientSecret } from '../views.ts';

const link = { reference: 'order-1001-1', authorizationUrl: 'https://pay.example/1', clientSecret };

/** A browser that is redirected to a payment page. */
async function redirect(
  order: Partial<OrderOptions> = {},
  body: object = link,
  browser: FakeBrowser = createFakeBrowser(),
) {
  const { environment, last } = createFakeEnvironment(0.5, browser);
  const created = createLink({ environment, baseUrl: '/checkout', body: '{"orderId":"1001"}', ...order });
  // The test handles a rejection later.
  created.catch(() => {});
  const { url, init } = last();
  await last().respond(body, { status: 201 });
  return { browser, created, url, init };
}

/** The page to which that browser returns. */
const returnTo = (options: TabOptions = {}, reference?: string) =>
  openTab({ returned: { reference }, ...options });

describe('a link', () => {
  it('is requested with the body of the order', async () => {
    const { created, url, init } = await redirect();
    expect(await created).toBe('https://pay.example/1');
    expect([url, init.method, init.body]).toEqual(['/checkout/links', 'POST', '{"orderId":"1001"}']);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', ''])(
    'to %j is an invalid response, and stores nothing',
    async (authorizationUrl) => {
      const { created, browser } = await redirect({}, { ...link, authorizationUrl });
      await expect(created).rejects.toMatchObject({ code: 'invalid_response' });
      expect((await returnTo({ browser })).events).toMatchObject([{ error: { code: 'session_unknown' } }]);
    },
  );
});

describe('a return', () => {
  it.each<[string, Partial<OrderOptions>, TabOptions]>([
    ['for an order that both pages identify', {}, {}],
    ['for an order that only a cookie identifies', { body: '{}' }, { body: '{}' }],
    ['to a page that does not identify the order', {}, { body: '{}' }],
  ])('%s retrieves its payment, and creates none', async (_, order, options) => {
    const { browser } = await redirect(order);
    const tab = await returnTo({ browser, ...options });
    expect(tab.sent()).toEqual(['GET /order-1001-1']);
    expect(tab.isFound()).toBe(true);
    expect(tab.world.last().headers.get('authorization')).toBe(`Bearer ${clientSecret}`);
    await tab.see({ outcome: 'paid', status: 'succeeded' });
    expect(tab.events[0]).toMatchObject({ type: 'sessionReceived', session: { outcome: 'paid' } });
    expect(tab.sent().join()).not.toContain('POST');
  });

  it('selects the payment that the URL names, where this browser knows several', async () => {
    const { browser } = await redirect();
    await redirect({ body: '{"orderId":"2"}' }, { ...link, reference: 'order-2-1' }, browser);
    for (const [reference, expected] of [
      ['order-1001-1', 'order-1001-1'],
      [undefined, 'order-2-1'],
    ] as const) {
      expect((await returnTo({ browser, body: '{}' }, reference)).sent()).toEqual([`GET /${expected}`]);
    }
  });

  it('never shows the last link for a payment that this browser does not know', async () => {
    const { browser } = await redirect({ body: '{}' });
    const tab = await returnTo({ browser, body: '{}' }, 'order-9999-1');
    expect(tab.events).toMatchObject([{ type: 'createFailed', error: { code: 'session_unknown' } }]);
    expect(tab.sent()).toEqual([]);
  });

  it('to a page that identifies the order shows its payment, whatever the URL names', async () => {
    const { browser } = await redirect();
    expect((await returnTo({ browser }, 'service-id-1')).sent()).toEqual(['GET /order-1001-1']);
  });

  it.each([
    ['in another browser', undefined],
    ['with an expired secret', { status: 401, code: 'session_unauthorized' }],
    ['with an unknown payment', { status: 404, code: 'not_found' }],
  ] as const)('%s fails as session_unknown, and creates nothing', async (_, refusal) => {
    const tab = await returnTo(refusal ? { browser: (await redirect()).browser } : {});
    if (refusal) await tab.refuse(refusal.status, refusal.code);
    await settle();
    expect(tab.events).toMatchObject([{ type: 'createFailed', error: { code: 'session_unknown' } }]);
    expect(tab.sent().join()).not.toContain('POST');
  });

  it('is retried while the server cannot be reached', async () => {
    const tab = await returnTo({ browser: (await redirect()).browser });
    await tab.refuse(503, 'service_unavailable');
    expect(tab.events).toMatchObject([{ type: 'createFailed', error: { code: 'service_unavailable' } }]);
    await tab.again(0);
    expect(tab.sent()).toEqual(['GET /order-1001-1', 'GET /order-1001-1']);
  });
});
