import { h } from 'preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineCheckoutElement } from '../../src/entry/element.ts';
import { createLoader } from '../../src/entry/loader.ts';
import { renderCheckout } from '../../src/entry/render-checkout.tsx';
import type { CheckoutEvent, CheckoutOptions } from '../../src/index.ts';
import { sessionOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';
import { create as createCheckout, place, stateOf, stubServer } from './shop.ts';

const broken = vi.hoisted(() => ({ states: [] as readonly string[] }));

/** Lets screens fail to render: a fault of ours that no test knows yet. */
vi.mock('../../src/widget/checkout.tsx', async (importActual) => {
  const { Checkout } = await importActual<typeof import('../../src/widget/checkout.tsx')>();
  const { useCheckout } = await import('../../src/widget/context.tsx');
  function Fragile() {
    const { name } = useCheckout().state.value;
    if (broken.states.includes(name)) throw new TypeError(`no ${name}`);
    return h(Checkout, null);
  }
  return { Checkout: Fragile };
});

afterEach(() => {
  broken.states = [];
});

const finishRendering = async (): Promise<void> => {
  await settleImports();
  // Preact runs effects after the next frame.
  await new Promise(requestAnimationFrame);
  await settleImports();
};

/** Holds all requests until the returned function is called. */
function holdFetch(): () => void {
  const send = fetch;
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  vi.stubGlobal('fetch', async (...input: Parameters<typeof fetch>) => {
    await isReleased;
    return send(...input);
  });
  return () => release();
}

function create(failing: readonly string[], options: CheckoutOptions = {}) {
  broken.states = failing;
  const server = stubServer();
  const host = place('div');
  const onError = vi.fn(({ detail: { error } }: CheckoutEvent<'error'>) => void error);
  const checkout = createCheckout({ onError, ...options });
  const errors = () => onError.mock.calls.map(([{ detail }]) => detail.error);
  const shownIn = (root = host.shadowRoot) => root?.textContent?.replace(/\s+/g, ' ');
  const press = async (name: string, root = host.shadowRoot) => {
    [...(root?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name)?.click();
    await finishRendering();
  };
  return { ...server, host, checkout, errors, shownIn, press };
}

describe('a checkout that cannot be rendered', () => {
  it('shows a message and calls onError, with the reference once it is known', async () => {
    const { checkout, host, errors, shownIn } = create(['loading', 'awaitingTransfer']);
    const release = holdFetch();
    checkout.mount(host);
    await finishRendering();
    expect(shownIn()).toBe(
      'We can’t show an account number right nowTry again, or ask the shop for help.Try again',
    );
    release();
    await finishRendering();
    expect(host.shadowRoot?.querySelector('[role="alert"]')?.textContent).toContain('order-1001-1');
    expect(shownIn()).toBe(
      'We can’t show an account number right nowIf you need help, contact the shop and give them this reference.Reference order-1001-1Try again',
    );
    const cause = new TypeError('no loading');
    expect(errors()).toMatchObject([
      { code: 'load_failed', cause },
      { code: 'load_failed', cause, message: expect.stringContaining('order-1001-1') },
    ]);
  });

  it('shows the reference when a later screen fails, and still emits events', async () => {
    const onSucceeded = vi.fn();
    const { checkout, host, errors, shownIn, respond } = create(['succeeded'], { onSucceeded });
    checkout.mount(host);
    await finishRendering();
    expect([stateOf(host), errors()]).toEqual(['awaitingTransfer', []]);
    await respond({ outcome: 'paid', status: 'succeeded' });
    await finishRendering();
    expect(shownIn()).toMatch(/^Your order is paid.*Reference order-1001-1/);
    expect(errors()).toMatchObject([
      { code: 'load_failed', message: expect.stringContaining('order-1001-1') },
    ]);
    expect(onSucceeded).toHaveBeenCalledOnce();
  });

  it('can be tried again', async () => {
    const { checkout, host, errors, press, posted } = create(['awaitingTransfer']);
    checkout.mount(host);
    await finishRendering();
    await press('Try again');
    expect(errors()).toHaveLength(2);
    broken.states = [];
    await press('Try again');
    expect([stateOf(host), errors().length]).toEqual(['awaitingTransfer', 2]);
    expect(posted()).toHaveLength(1);
  });

  it('can be closed in a dialog, without a question that nobody could see', async () => {
    const { checkout, shownIn, press } = create(['awaitingTransfer']);
    await checkout.open();
    await finishRendering();
    const root = document.querySelector('[data-checkout-modal]')?.shadowRoot ?? null;
    expect(shownIn(root)).toContain('Reference order-1001-1');
    await press('Close', root);
    expect(document.querySelector('[data-checkout-modal]')).toBeNull();
  });

  it('makes renderCheckout reject with the reference', async () => {
    broken.states = ['awaitingTransfer'];
    await expect(renderCheckout(sessionOf(), { stylesheet: '/checkout.css' })).rejects.toMatchObject({
      name: 'CheckoutError',
      code: 'load_failed',
      message: expect.stringContaining('order-1001-1'),
    });
  });
});

it('a <transfer-checkout> whose widget fails to load reports it once, and is not blank', async () => {
  defineCheckoutElement(
    createLoader({ importWidget: () => Promise.reject(new Error('Lost.')), sendEarly: () => undefined })
      .loader,
  );
  const element = document.body.appendChild(document.createElement('transfer-checkout'));
  const codes: string[] = [];
  element.addEventListener('error', (event) => {
    codes.push((event as Event as CustomEvent).detail.error.code);
    event.preventDefault();
  });
  await settleImports();
  expect(codes).toEqual(['load_failed']);
  expect(element.shadowRoot?.textContent).toMatch(/could not be loaded/);
  element.remove();
});
