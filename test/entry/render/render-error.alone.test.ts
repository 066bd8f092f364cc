import { expect, it, vi } from 'vitest';
import { renderCheckout } from '../../../src/entry/render/render-checkout.ts';
import { sessionOf } from '../../core/views.ts';

const rendered = vi.hoisted(() => vi.fn<() => string>());
vi.mock('preact-render-to-string', () => ({ renderToString: rendered }));

it.each([
  [
    'throws',
    () => {
      throw new TypeError('no');
    },
  ],
  ['renders nothing', () => ''],
])('renderCheckout rejects when Preact %s: an empty shadow root would hide the account', async (_, act) => {
  rendered.mockImplementation(act);
  await expect(renderCheckout(sessionOf(), { stylesheet: '/checkout.css' })).rejects.toMatchObject({
    name: 'CheckoutError',
    code: 'load_failed',
    message: expect.stringContaining('order-1001-1'),
  });
});
