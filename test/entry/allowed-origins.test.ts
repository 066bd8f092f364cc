import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { allowOrigins, readAttributes, readButton } from '../../src/entry/attributes.ts';
import { earlyRequestOf } from '../../src/entry/early-session.ts';
import { createTransferCheckout, mountCheckout } from '../../src/index.ts';
import { settleImports } from '../settle.ts';
import { place, stubServer } from './shop.ts';

const readBaseUrl = (baseUrl: string) => readAttributes((name) => ({ baseUrl })[name]);

/** Puts a `<base>` into the page for the length of the test. */
function setBase(href: string): void {
  const base = document.head.appendChild(document.createElement('base'));
  base.href = href;
  onTestFinished(() => base.remove());
}

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

  it('belongs to this site, whatever the base of the page is', async () => {
    const { calls } = stubServer();
    setBase('https://foreign.example/');
    const host = place('div');
    const checkout = mountCheckout(host, { ...readBaseUrl('/pay'), returnUrl: 'orders', session: undefined });
    onTestFinished(() => checkout.unmount());
    await settleImports();
    expect(calls[0]?.url).toBe('/pay/sessions');
    const back = host.shadowRoot?.querySelector<HTMLAnchorElement>('[data-action="back"]');
    expect(back?.href).toBe(`${location.origin}/orders`);
  });

  it('is relative to a base of this site', async () => {
    stubServer();
    setBase(`${location.origin}/app/`);
    const host = place('div');
    const checkout = mountCheckout(host, { returnUrl: 'orders' });
    onTestFinished(() => checkout.unmount());
    await settleImports();
    const back = host.shadowRoot?.querySelector<HTMLAnchorElement>('[data-action="back"]');
    expect(back?.href).toBe(`${location.origin}/app/orders`);
  });
});
