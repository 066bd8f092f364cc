import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { redirectToCheckout } from '../../src/index.ts';
import { sessionOf } from '../core/views.ts';

const link = { ...sessionOf(), authorizationUrl: 'https://pay.example/1' };

/** Redirects the shopper, and returns the addresses. */
async function redirect(options?: Parameters<typeof redirectToCheckout>[0]) {
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
  return { going, addresses, requests };
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
