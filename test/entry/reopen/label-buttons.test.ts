import { expect, it, vi } from 'vitest';
import { labelButtons } from '../../../src/entry/reopen/label-buttons.ts';
import { labelStored } from '../../../src/entry/reopen/label-stored.ts';
import { createTransferCheckout } from '../../../src/index.ts';
import { validateOptions } from '../../../src/options/validate-options.ts';
import { settleImports } from '../../settle.ts';
import { place, stubServer } from '../shop.ts';

/** A page that is loaded after the shopper has seen the account of order 7; its button is for that order, or another. */
async function reloaded({ body = '{"orderId":"7"}', known = true, isPressed = false } = {}) {
  const server = stubServer();
  const checkout = createTransferCheckout({ body: { orderId: '7' } });
  checkout.mount(place('div'));
  await settleImports();
  checkout.unmount();
  server.calls.length = 0;
  if (!known) {
    const unknown = JSON.stringify({ code: 'session_unknown' });
    vi.stubGlobal('fetch', async () => new Response(unknown, { status: 404 }));
  }
  const button = place('button');
  button.textContent = 'Pay by bank transfer';
  button.dataset.transferCheckout = '';
  button.dataset.body = body;
  const load = vi.fn(async (element: HTMLElement, options: object, pressed: AbortSignal) => {
    await settleImports();
    await labelStored(element, validateOptions(options), pressed);
  });
  labelButtons(load);
  if (isPressed) button.click();
  await settleImports();
  await settleImports();
  return { button, load, ...server };
}

it('a button says after a reload that its order has a payment, which is found and never created', async () => {
  const { button, calls } = await reloaded();
  expect(button.textContent).toBe('See your payment');
  const headers = calls.map(({ init }) => new Headers(init.headers).get('prefer'));
  expect(headers).toEqual(['payment=existing']);
  // The checkout that it opens labels it, when it is closed.
  button.click();
  expect(button.textContent).toBe('Pay by bank transfer');
});

it.each([
  ['another order', { body: '{"orderId":"8"}' }],
  ['an order without the stored payment', { known: false }],
  ['an order that was opened while the widget loaded', { isPressed: true }],
])('the button of %s keeps its label', async (_, options) => {
  const { button, calls } = await reloaded(options);
  expect([button.textContent, calls.length]).toEqual(['Pay by bank transfer', 0]);
});

it('a page loads nothing for its buttons where nothing is stored', async () => {
  const { load } = await reloaded();
  localStorage.clear();
  load.mockClear();
  labelButtons(load);
  expect(load).not.toHaveBeenCalled();
});
