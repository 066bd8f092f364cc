import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckoutOptions } from '../../src/index.ts';
import { settle, settleImports } from '../settle.ts';
import { stateOf, stubServer } from './shop.ts';

/** Opens a modal whose later part, with the question, does not come before it is told to. */
async function openEarly(until: 'open' | 'ready' = 'ready', options: CheckoutOptions = {}) {
  const file = { arrive: (): void => {}, fail: (): void => {} };
  const coming = new Promise<void>((resolve, reject) => {
    file.arrive = resolve;
    file.fail = () => reject(new Error('The file did not come.'));
  });
  coming.catch(() => {});
  vi.resetModules();
  vi.doMock('../../src/views/more.ts', async (importOriginal) => {
    await coming;
    return importOriginal();
  });
  onTestFinished(() => vi.doUnmock('../../src/views/more.ts'));
  // All else is there, so that nothing waits but for that file.
  const [{ createTransferCheckout }] = await Promise.all([
    import('../../src/index.ts'),
    import('../../src/mounts/modal.tsx'),
    import('../../src/core/watch.ts'),
  ]);
  const ready = new Promise<void>((resolve) => {
    const checkout = createTransferCheckout({ ...options, onReady: () => resolve() });
    onTestFinished(() => checkout.unmount());
    void checkout.open().then(() => until === 'open' && resolve());
  });
  await ready;
  const dialog = () => document.querySelector('[data-checkout-modal]')?.shadowRoot?.querySelector('dialog');
  return {
    ...file,
    state: () => stateOf(document.querySelector('[data-checkout-modal]') as Element),
    pressClose: () => dialog()?.querySelector<HTMLElement>('[data-action="close"]')?.click(),
    isOpen: () => !!dialog()?.open,
    text: () => dialog()?.textContent,
    question: () => dialog()?.querySelector('[role="alertdialog"]')?.textContent ?? undefined,
  };
}

// The modal's time stands still: on a slow machine a file takes longer than the modal waits for it.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

describe('a modal that is to be closed before it can ask', () => {
  it('asks as soon as it can, while money may be on its way', async () => {
    stubServer();
    const { state, pressClose, isOpen, question, arrive } = await openEarly();
    pressClose();
    await settle();
    expect([state(), isOpen(), question()]).toEqual(['awaitingTransfer', true, undefined]);
    arrive();
    // The file itself takes its time.
    await expect.poll(question).toMatch(/Do not leave if you have sent/);
    expect(isOpen()).toBe(true);
  });

  it('closes as soon as it knows that all is over', async () => {
    stubServer({ outcome: 'paid' });
    const { pressClose, isOpen, arrive } = await openEarly();
    pressClose();
    expect(isOpen()).toBe(true);
    arrive();
    await expect.poll(isOpen).toBe(false);
  });

  it('closes where what asks does not come', async () => {
    stubServer();
    const { pressClose, isOpen, fail } = await openEarly();
    pressClose();
    fail();
    await expect.poll(isOpen).toBe(false);
  });

  it('closes at once when it has not come already', async () => {
    stubServer();
    const { pressClose, isOpen, fail } = await openEarly();
    fail();
    await settleImports();
    expect(isOpen()).toBe(true);
    pressClose();
    expect(isOpen()).toBe(false);
  });

  it('holds nobody back who insists', async () => {
    stubServer();
    const { pressClose, isOpen } = await openEarly();
    pressClose();
    expect(isOpen()).toBe(true);
    pressClose();
    expect(isOpen()).toBe(false);
  });

  it('holds nobody back for long where it neither comes nor fails, and says that it is late', async () => {
    stubServer();
    const { pressClose, isOpen, text } = await openEarly();
    expect(text()).not.toContain('Still trying');
    vi.advanceTimersByTime(8000);
    expect([isOpen(), text()]).toEqual([true, expect.stringContaining('Still trying')]);
    pressClose();
    expect(isOpen()).toBe(false);
  });

  it('closes after three seconds where it neither comes nor fails', async () => {
    stubServer();
    const { pressClose, isOpen } = await openEarly();
    pressClose();
    vi.advanceTimersByTime(2999);
    expect(isOpen()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isOpen()).toBe(false);
  });

  it.each(['insists', 'waits'])(
    'asks a page that keeps it open once, where the shopper %s',
    async (patience) => {
      stubServer();
      const onClose = vi.fn((event: Event) => event.preventDefault());
      const { pressClose, isOpen, question, arrive } = await openEarly('ready', { onClose });
      pressClose();
      if (patience === 'insists') pressClose();
      else vi.advanceTimersByTime(3000);
      expect(onClose).toHaveBeenCalledTimes(1);
      arrive();
      await settleImports();
      expect([onClose.mock.calls.length, isOpen(), question()]).toEqual([1, true, undefined]);
    },
  );

  it('closes at once while there is no account yet', async () => {
    stubServer();
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    const { state, pressClose, isOpen } = await openEarly('open');
    expect(state()).toBe('loading');
    pressClose();
    expect(isOpen()).toBe(false);
  });
});
