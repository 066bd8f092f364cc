import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mountCheckout } from '../../src/index.ts';
import { forgedFields, forgedStorage, valid } from '../core/forged-storage.ts';
import { settleImports } from '../settle.ts';
import { fieldOf, place, stateOf, stubServer } from './shop.ts';

beforeEach(() => localStorage.clear());

describe('a page whose storage was written by another script', () => {
  const added = forgedFields.map(([name, more]) => [name, JSON.stringify([{ ...valid, ...more }])] as const);

  it.each([...forgedStorage, ...added])(
    'shows what the server returns, and nothing else: %s',
    async (_name, text) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {});
      localStorage.setItem('transfer-checkout', text);
      const { calls } = stubServer();
      const host = place('div');
      const checkout = mountCheckout(host);
      onTestFinished(() => {
        checkout.unmount();
        log.mockRestore();
      });
      await settleImports();
      expect(stateOf(host)).toBe('awaitingTransfer');
      expect(fieldOf(host, 'accountNumber')).toBe('9012345678');
      expect(calls[0]).toMatchObject({ url: expect.stringMatching(/\/checkout\/sessions$/) });
      expect(host.shadowRoot?.textContent).not.toContain('6666666666');
      expect(log).not.toHaveBeenCalled();
    },
  );
});
