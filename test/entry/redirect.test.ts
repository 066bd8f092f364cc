import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { redirectToCheckout, resume } from '../../src/index.ts';
import { sessionOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';
import { fieldOf, place, stateOf, stubServer } from './shop.ts';

const link = { ...sessionOf(), authorizationUrl: 'https://pay.example/1' };

/** Redirects the shopper, and returns the addresses. */
async function redirect(options?: Parameters<typeof redirectToCheckout>[0]) {
  localStorage.clear();
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const requests: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (href: string, init: RequestInit) => {
    requests.push({ url: href.replace(location.origin, ''), init });
    return new Response(JSON.stringify(link), { status: 201 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const going = redirectToCheckout(options);
  await going.catch(() => {});
  const addresses = assign.mock.calls;
  assign.mockRestore();
  return { going, addresses, requests, stored: { ...localStorage } };
}

/** Returns to a page with this address, in a browser with `stored`. */
async function comeBack(stored: Record<string, string>, search = '') {
  const { calls, respond } = stubServer();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  history.replaceState(null, '', `/return${search}`);
  onTestFinished(() => history.replaceState(null, '', '/'));
  const host = place('div');
  const onError = vi.fn();
  const checkout = resume(host, { onError });
  onTestFinished(() => checkout.unmount());
  await settleImports();
  return { host, calls, respond, onError };
}

describe('a redirect', () => {
  it('goes to the server’s page, without a secret in the address', async () => {
    const { addresses, requests } = await redirect({ baseUrl: '/pay/', body: { orderId: '7' } });
    expect(addresses).toEqual([['https://pay.example/1']]);
    expect(requests).toMatchObject([
      { url: '/pay/links', init: { method: 'POST', body: '{"orderId":"7"}' } },
    ]);
  });

  it('refuses invalid options', async () => {
    const { going, addresses } = await redirect({ baseUrl: 'ftp://x' });
    await expect(going).rejects.toMatchObject({ code: 'invalid_options' });
    expect(addresses).toEqual([]);
  });
});

describe('a return', () => {
  it('shows the server’s status, whatever the address claims', async () => {
    const { stored } = await redirect();
    const { host, calls, respond } = await comeBack(stored, '?status=succeeded&reference=order-1001-1');
    expect(calls.map(({ init }) => init.method)).not.toContain('POST');
    expect(stateOf(host)).not.toBe('succeeded');
    await respond({ outcome: 'paid', status: 'succeeded' });
    expect([stateOf(host), fieldOf(host, 'reference')]).toEqual(['succeeded', 'order-1001-1']);
  });

  it('says in another browser that the shop will confirm, without a request', async () => {
    const { host, calls, onError } = await comeBack({}, '?status=succeeded&reference=order-1001-1');
    expect(calls).toEqual([]);
    expect(stateOf(host)).toBe('unavailable');
    expect(host.shadowRoot?.textContent).toMatch(/This browser can’t show your payment/);
    expect(host.shadowRoot?.querySelector('[data-action="tryAgain"]')).toBeNull();
    expect(onError.mock.calls).toMatchObject([[{ detail: { error: { code: 'session_unknown' } } }]]);
  });
});
