import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { allowOrigins, readAttributes, readButton } from '../../src/entry/attributes.ts';
import { earlyRequestOf } from '../../src/entry/early-session.ts';
import { createTransferCheckout } from '../../src/index.ts';
import { mounted, place, stubServer } from './shop.ts';

const readBaseUrl = (baseUrl: string) => readAttributes((name) => ({ baseUrl })[name]);

afterEach(() => void vi.unstubAllGlobals());

describe('an address in markup', () => {
  it.each(['/checkout', `${location.origin}/checkout`, 'ftp://x', 'http://['])(
    'is read as it is: %s',
    (baseUrl) => {
      expect(readBaseUrl(baseUrl).baseUrl).toBe(baseUrl);
    },
  );

  it.each([
    'https://foreign.example/checkout',
    '//foreign.example/checkout',
    '/\t/foreign.example/checkout',
    '\\\\foreign.example',
    ' https://foreign.example',
    `https://${location.host}`,
    `${location.protocol}//${location.hostname}.foreign.example`,
    `${location.protocol}//x@foreign.example`,
  ])('is refused before any request: %j', (baseUrl) => {
    const { calls } = stubServer();
    const options = readBaseUrl(baseUrl);
    expect(earlyRequestOf(options)).toBeUndefined();
    expect(() => createTransferCheckout(options)).toThrow(
      /^The option baseUrl must be a path of this site; to allow \S+ in markup, write it in data-allowed-origins/,
    );
    expect(calls).toEqual([]);
  });

  it('may be of an allowed origin, and of no other', () => {
    allowOrigins(['https://pay.shop.example', 'https://slash.example/']);
    const button = place('button');
    button.dataset.baseUrl = 'https://pay.shop.example/checkout';
    expect(readButton(button).baseUrl).toBe('https://pay.shop.example/checkout');
    for (const other of [
      'https://pay.shop.example.foreign.example',
      'http://pay.shop.example',
      'https://slash.example',
    ])
      expect(typeof readBaseUrl(other).baseUrl).toBe('symbol');
  });

  it.each([
    ['belongs to this site, whatever the base of the page is', 'https://foreign.example/', '/orders'],
    ['is relative to a base of this site', `${location.origin}/app/`, '/app/orders'],
  ])('%s', async (_name, href, path) => {
    const base = document.head.appendChild(document.createElement('base'));
    base.href = href;
    onTestFinished(() => base.remove());
    const { calls, host } = await mounted({ ...readBaseUrl('/pay'), returnUrl: 'orders' });
    expect(calls[0]?.url).toBe('/pay/sessions');
    const back = host.shadowRoot?.querySelector<HTMLAnchorElement>('[data-action="back"]');
    expect(back?.href).toBe(location.origin + path);
  });
});
