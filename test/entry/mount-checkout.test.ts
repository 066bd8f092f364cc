import { describe, expect, it, onTestFinished } from 'vitest';
import { type CheckoutError, type CheckoutOptions, mountCheckout } from '../../src/index.ts';
import { settleImports } from '../settle.ts';
import { place, stubServer } from './shop.ts';

/** Mounts a checkout until the end of the test. */
function mount(element: Element, options?: CheckoutOptions) {
  const handle = mountCheckout(element, options);
  onTestFinished(() => handle.unmount());
  return handle;
}

const refusalOf = (act: () => unknown): CheckoutError => {
  try {
    act();
  } catch (error) {
    return error as CheckoutError;
  }
  throw new Error('Nothing was refused.');
};

describe('a second mount in the same element', () => {
  it('replaces the first, whose handle then does nothing', async () => {
    const { calls } = stubServer();
    const host = place('div');
    const first = mount(host);
    await settleImports();
    mount(host, { merchantName: 'Second' });
    await settleImports();
    first.unmount();
    expect(host.shadowRoot?.querySelectorAll('.card').length).toBe(1);
    expect(host.shadowRoot?.textContent).toContain('Second');
    expect(calls[1]?.init.signal?.aborted).toBe(true);
  });
});

describe('a refused mount', () => {
  it.each([null, undefined, '#checkout', {}, 'closed'])(
    'says that it needs an element that can have a shadow root: %s',
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
});
