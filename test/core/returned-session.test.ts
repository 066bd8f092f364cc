import { describe, expect, it } from 'vitest';
import { createLink } from '../../src/core/session/checkout-link.ts';
import type { OrderOptions } from '../../src/core/session/order-storage.ts';
import { settle } from '../settle.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { openTab, type TabOptions } from './open-tab.ts';
import { clientSecret } from './views.ts';

const link = { reference: 'order-1001-1', authorizationUrl: 'https://pay.example/1', clientSecret };

/** A browser that is sent elsewhere to pay. */
async function sendElsewhere(
  order: Partial<OrderOptions> = {},
  answer: object = link,
  browser: FakeBrowser = createFakeBrowser(),
) {
  const { environment, last } = createFakeEnvironment(0.5, browser);
  const going = createLink({ environment, baseUrl: '/checkout', body: '{"orderId":"1001"}', ...order });
  // Nobody else waits for a refusal until the test does.
  going.catch(() => {});
  const { url, init } = last();
  await last().answer(answer, { status: 201 });
  return { browser, going, url, init };
}

/** The page that such a browser comes back to. */
const comeBack = (options: TabOptions = {}, reference?: string) =>
  openTab({ returned: { reference }, ...options });

describe('a link', () => {
  it('is asked for with the body of the order', async () => {
    const { going, url, init } = await sendElsewhere();
    expect(await going).toBe('https://pay.example/1');
    expect([url, init.method, init.body]).toEqual(['/checkout/links', 'POST', '{"orderId":"1001"}']);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', ''])(
    'to %j is no answer, and leaves nothing behind',
    async (authorizationUrl) => {
      const { going, browser } = await sendElsewhere({}, { ...link, authorizationUrl });
      await expect(going).rejects.toMatchObject({ code: 'invalid_response' });
      expect((await comeBack({ browser })).events).toMatchObject([{ error: { code: 'session_unknown' } }]);
    },
  );
});

describe('a return', () => {
  it.each<[string, Partial<OrderOptions>, TabOptions]>([
    ['of an order that both pages name', {}, {}],
    ['of an order that only a cookie names', { body: '{}' }, { body: '{}' }],
    ['to a page that does not say which order it was', {}, { body: '{}' }],
  ])('%s looks at its payment, and makes none', async (_, order, options) => {
    const { browser } = await sendElsewhere(order);
    const tab = await comeBack({ browser, ...options });
    expect(tab.asked()).toEqual(['GET /order-1001-1']);
    expect(tab.isFound()).toBe(true);
    expect(tab.world.last().headers.get('authorization')).toBe(`Bearer ${clientSecret}`);
    await tab.see({ outcome: 'paid', status: 'succeeded' });
    expect(tab.events[0]).toMatchObject({ type: 'sessionReceived', session: { outcome: 'paid' } });
    expect(tab.asked().join()).not.toContain('POST');
  });

  it('is of the payment that the address speaks of, where this browser knows several', async () => {
    const { browser } = await sendElsewhere();
    await sendElsewhere({ body: '{"orderId":"2"}' }, { ...link, reference: 'order-2-1' }, browser);
    for (const [reference, asked] of [
      ['order-1001-1', 'order-1001-1'],
      [undefined, 'order-2-1'],
      ['order-of-somebody-else', 'order-2-1'],
    ] as const) {
      expect((await comeBack({ browser, body: '{}' }, reference)).asked()).toEqual([`GET /${asked}`]);
    }
  });

  it.each([
    ['in another browser', undefined],
    ['with a secret that is too old', { status: 401, code: 'session_unauthorized' }],
    ['with a payment that is not there', { status: 404, code: 'not_found' }],
  ] as const)('%s knows nothing, and asks for nothing more', async (_, refusal) => {
    const tab = await comeBack(refusal ? { browser: (await sendElsewhere()).browser } : {});
    if (refusal) await tab.refuse(refusal.status, refusal.code);
    await settle();
    expect(tab.events).toMatchObject([{ type: 'createFailed', error: { code: 'session_unknown' } }]);
    expect(tab.asked().join()).not.toContain('POST');
  });

  it('asks again while the server cannot be reached', async () => {
    const tab = await comeBack({ browser: (await sendElsewhere()).browser });
    await tab.refuse(503, 'service_unavailable');
    expect(tab.events).toMatchObject([{ type: 'createFailed', error: { code: 'service_unavailable' } }]);
    await tab.again(0);
    expect(tab.asked()).toEqual(['GET /order-1001-1', 'GET /order-1001-1']);
  });
});
