import { expect, it, vi } from 'vitest';
import { renderCheckout } from '../../src/entry/render-checkout.tsx';
import { sessionOf } from '../core/views.ts';

const rendered = vi.hoisted(() => vi.fn<() => string>());
vi.mock('preact-render-to-string', () => ({ renderToString: rendered }));

it('renderCheckout rejects with the reference when Preact throws', async () => {
  rendered.mockImplementation(() => {
    throw new TypeError('no');
  });
  await expect(renderCheckout(sessionOf(), { stylesheet: '/checkout.css' })).rejects.toMatchObject({
    name: 'CheckoutError',
    code: 'load_failed',
    message: expect.stringContaining('order-1001-1'),
  });
});
