import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type CheckoutError,
  type CheckoutEvent,
  createTransferCheckout,
  mountCheckout,
  type TransferCheckout,
} from '../../src/index.ts';
import { callbackNames } from '../../src/options/options.ts';
import { sessionOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';
import { create, fieldOf, heldOf, mounted, place, silence, stateOf, stubServer } from './shop.ts';

const refusalOf = (act: () => unknown): CheckoutError => {
  try {
    act();
  } catch (error) {
    return error as CheckoutError;
  }
  throw new Error('Nothing was refused.');
};

describe('a checkout', () => {
  it('starts when it is first shown, and continues in the next element', async () => {
    const { calls, posted } = stubServer();
    const checkout = create();
    await settleImports();
    expect(calls).toEqual([]);
    const [one, other] = [place('div'), place('div')];
    expect(checkout.mount(one)).toBe(checkout);
    checkout.mount(one);
    await settleImports();
    checkout.mount(other);
    expect([stateOf(one), stateOf(other), posted().length]).toEqual([undefined, 'awaitingTransfer', 1]);
  });

  it.each<[string, (checkout: TransferCheckout, other: Element) => void]>([
    ['moved', (checkout, other) => checkout.mount(other)],
    ['restarted', (checkout) => checkout.update({ body: { orderId: '8' } })],
  ])('can be %s by its first callback, and leaves nothing behind', async (_how, change) => {
    const { calls } = stubServer();
    const [host, other] = [place('div'), place('div')];
    const onReady = vi.fn(() => onReady.mock.calls.length === 1 && change(checkout, other));
    const checkout = create({ session: sessionOf(), onReady });
    checkout.mount(host);
    await settleImports();
    expect([stateOf(host), stateOf(other)].filter((state) => state === 'awaitingTransfer')).toHaveLength(1);
    checkout.unmount();
    await settleImports();
    expect([heldOf(calls), calls.at(-1)?.init.signal?.aborted]).toEqual([[false, true], true]);
    expect([host, other].map(stateOf)).toEqual([undefined, undefined]);
  });

  it('refuses invalid options on creation and update, and keeps the old ones', async () => {
    expect(() => createTransferCheckout({ baseUrl: 'ftp://x' })).toThrow(/baseUrl/);
    const { host, checkout } = await mounted({ merchantName: 'Kola' });
    expect(() => checkout.update({ baseUrl: 'ftp://x', merchantName: 'Ada' })).toThrow(/baseUrl/);
    checkout.update({});
    expect(host.shadowRoot?.textContent).toContain('Kola');
  });
});

describe('an update', () => {
  it('shows names, texts, theme and language at once, without a restart', async () => {
    const options = { merchantName: 'Kola', body: { orderId: '7' } };
    const { posted, host, checkout } = await mounted(options);
    checkout.update({
      body: { orderId: '7' },
      locale: 'fr',
      appearance: { theme: 'dark' },
      text: { waiting: 'Patience' },
    });
    await settleImports();
    const card = host.shadowRoot?.querySelector<HTMLElement>('.card');
    expect([card?.lang, card?.dataset.theme, posted().length]).toEqual(['fr', 'dark', 1]);
    expect(card?.textContent).toMatch(/Kola.*Numéro de compte.*Patience/);
  });

  it('restarts for the options that identify the order', async () => {
    const { posted, host, checkout } = await mounted({ body: { orderId: '7' } });
    checkout.update({ body: { orderId: '8' } });
    await settleImports();
    expect(posted()).toEqual(['{"orderId":"7"}', '{"orderId":"8"}']);
    expect(fieldOf(host, 'accountNumber')).toBe('9012345678');
  });
});

describe('the events', () => {
  it('reach the callback and the element as the same object', async () => {
    const { respond } = stubServer();
    const host = place('div');
    const callbacks: CheckoutEvent[] = [];
    const heard: Event[] = [];
    for (const name of callbackNames)
      host.addEventListener(name.slice(2).toLowerCase(), (event) => heard.push(event));
    const note = (event: CheckoutEvent): void => void callbacks.push(event);
    const options = Object.fromEntries(callbackNames.map((name) => [name, note]));
    create(options).mount(host);
    await settleImports();
    await respond({ chargedAmount: 5 });
    expect(callbacks.map(({ type }) => type)).toEqual([
      'ready',
      'statuschange',
      'statuschange',
      'partlypaid',
    ]);
    expect(heard).toEqual(callbacks);
    expect(callbacks.at(-1)?.detail).toMatchObject({ payment: { chargedAmount: 5 } });
  });

  it('have no default action if a listener prevents it', async () => {
    const { host } = await mounted();
    host.addEventListener('sent', (event) => event.preventDefault(), { once: true });
    const button = host.shadowRoot?.querySelector<HTMLElement>('[data-action="sent"]');
    button?.click();
    expect(stateOf(host)).toBe('awaitingTransfer');
    button?.click();
    await settleImports();
    expect(stateOf(host)).toBe('checking');
  });

  it('continue after a callback that throws, which is reported', async () => {
    const logged = silence('error');
    const mistake = new Error('The page made a mistake.');
    const { host } = await mounted({
      onReady() {
        throw mistake;
      },
    });
    expect(logged).toEqual([[mistake]]);
    expect(stateOf(host)).toBe('awaitingTransfer');
  });
});

describe('closing', () => {
  it('asks first while an account can be paid into, then hides the checkout and keeps watching', async () => {
    const [onClose, onSucceeded] = [vi.fn(), vi.fn()];
    const { respond, host, checkout } = await mounted({ onClose, onSucceeded });
    checkout.close();
    await settleImports();
    expect(host.shadowRoot?.querySelector('[role="alertdialog"]')?.textContent).toMatch(/Before you go/);
    expect(onClose).not.toHaveBeenCalled();
    host.shadowRoot?.querySelector<HTMLElement>('[role="alertdialog"] > div > button:last-child')?.click();
    expect(onClose.mock.calls).toMatchObject([[{ detail: { state: 'awaitingTransfer' } }]]);
    expect(host.shadowRoot?.innerHTML).toBe('');
    await respond({ outcome: 'paid' });
    expect(onSucceeded).toHaveBeenCalledOnce();
    checkout.mount(host);
    expect(stateOf(host)).toBe('succeeded');
  });

  it('does nothing when the page prevents it', async () => {
    const options = { onClose: (event: CheckoutEvent) => event.preventDefault() };
    const { host, checkout } = await mounted(options, { outcome: 'paid' });
    checkout.close();
    expect(stateOf(host)).toBe('succeeded');
  });
});

it('a second mount in the same element replaces the first, whose handle then does nothing', async () => {
  const { calls, host, checkout: first } = await mounted();
  const second = mountCheckout(host, { merchantName: 'Second' });
  onTestFinished(() => second.unmount());
  await settleImports();
  first.unmount();
  expect(host.shadowRoot?.querySelectorAll('.card').length).toBe(1);
  expect(host.shadowRoot?.textContent).toContain('Second');
  expect(calls[1]?.init.signal?.aborted).toBe(true);
});

it.each([null, undefined, '#checkout', {}, 'closed'])(
  'a refused mount says that it needs an element that can have a shadow root: %s',
  (element) => {
    const closed = element === 'closed' ? place('div') : undefined;
    closed?.attachShadow({ mode: 'closed' });
    const refusal = refusalOf(() => mountCheckout((closed ?? element) as never));
    expect([refusal.code, refusal.message]).toEqual([
      'invalid_options',
      expect.stringMatching(/needs an element/),
    ]);
  },
);
