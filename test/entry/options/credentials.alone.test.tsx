/** @jsxImportSource react */
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { allowOrigins } from '../../../src/element.ts';
import { openFromButtons } from '../../../src/entry/button.ts';
import {
  type CheckoutOptions,
  createTransferCheckout,
  mountCheckout,
  redirectToCheckout,
  resume,
  type TransferCheckout,
} from '../../../src/index.ts';
import { TransferCheckout as ReactCheckout } from '../../../src/react.tsx';
import { sessionOf } from '../../core/views.ts';
import { settleImports } from '../../settle.ts';
import { place, stubServer } from '../shop.ts';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
openFromButtons({ mountCheckout, createTransferCheckout });
allowOrigins(['https://api.shop.example']);

const options: CheckoutOptions = { baseUrl: 'https://api.shop.example/checkout', credentials: 'include' };

const ended = (checkout: TransferCheckout): void => onTestFinished(() => checkout.unmount());

/** Redirects the shopper; the stubbed server responds with a link. */
async function redirect(): Promise<void> {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const stubbed = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    await stubbed(url, init);
    return new Response(JSON.stringify({ ...sessionOf(), authorizationUrl: 'https://pay.example/1' }));
  });
  await redirectToCheckout(options);
  vi.stubGlobal('fetch', stubbed);
  assign.mockRestore();
}

const waysToAsk: Record<string, () => unknown> = {
  mountCheckout: () => ended(mountCheckout(place('div'), options)),
  open: async () => {
    const checkout = createTransferCheckout(options);
    ended(checkout);
    await checkout.open();
  },
  update: async () => {
    const checkout = createTransferCheckout({
      baseUrl: 'https://api.shop.example/checkout',
      session: sessionOf(),
    });
    checkout.update(options);
    ended(checkout.mount(place('div')));
  },
  'the element': () => {
    const element = place('transfer-checkout');
    element.setAttribute('base-url', `${options.baseUrl}`);
    element.setAttribute('credentials', 'include');
  },
  'the button': () => {
    const button = place('button');
    const target = place('div');
    target.id = 'pay';
    Object.assign(button.dataset, { ...options, transferCheckout: '#pay' });
    button.click();
  },
  React: async () => {
    const root = createRoot(place('main'));
    onTestFinished(() => act(async () => root.unmount()));
    await act(async () => root.render(<ReactCheckout {...options} />));
  },
  redirectToCheckout: redirect,
  resume: async () => {
    await redirect();
    ended(resume(place('div'), options));
  },
};

it.each(Object.entries(waysToAsk))(
  'cookies are sent with every request of %s when credentials is include',
  async (_name, ask) => {
    const { calls } = stubServer();
    await ask();
    await settleImports();
    expect(calls.length).toBeGreaterThan(0);
    for (const { url, init } of calls) {
      expect(url).toMatch(/^https:\/\/api\.shop\.example\/checkout\//);
      expect(init.credentials).toBe('include');
    }
  },
);

it('a checkout restarts when credentials changes', async () => {
  const { calls } = stubServer();
  const checkout = mountCheckout(place('div'));
  ended(checkout);
  await settleImports();
  expect(calls.map(({ init }) => init.credentials)).toEqual(['same-origin', 'same-origin']);
  checkout.update({ credentials: 'include' });
  await settleImports();
  expect(calls[1]?.init.signal?.aborted).toBe(true);
  expect(calls.slice(2).map(({ init }) => init.credentials)).not.toContain('same-origin');
  expect(calls.length).toBeGreaterThan(2);
});
