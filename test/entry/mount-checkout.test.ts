import { describe, expect, it, onTestFinished } from 'vitest';
import { type CheckoutError, mountCheckout } from '../../src/index.ts';
import { settleImports } from '../settle.ts';
import { mounted, place } from './shop.ts';

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
    const { calls, host, checkout: first } = await mounted();
    const second = mountCheckout(host, { merchantName: 'Second' });
    onTestFinished(() => second.unmount());
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
