/** @jsxImportSource react */
import { act, createRef, type ReactNode, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CheckoutHandle, TransferCheckout, useTransferCheckout } from '../../src/react.tsx';
import { settleImports } from '../settle.ts';
import { fieldOf, heldOf, place, stateOf, stubServer } from './shop.ts';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

async function open(node: ReactNode) {
  const page = place('main');
  const root = createRoot(page);
  onTestFinished(() => act(async () => root.unmount()));
  const render = async (next: ReactNode) => {
    await act(async () => root.render(next));
    await settleImports();
  };
  await render(node);
  return { page, root, render, host: () => page.querySelector('div') as HTMLElement };
}

const modal = () => document.querySelector('[data-checkout-modal]');
const dialog = () => modal()?.shadowRoot?.querySelector('dialog');

describe('<TransferCheckout>', () => {
  it('shows a checkout with the options of its props', async () => {
    const { calls } = stubServer();
    const { host } = await open(
      <TransferCheckout
        id="pay"
        className="wide"
        baseUrl="/pay"
        body={{ orderId: '7' }}
        merchantName="Kola"
      />,
    );
    expect([host().id, host().className]).toEqual(['pay', 'wide']);
    expect(calls[0]).toMatchObject({ url: '/pay/sessions', init: { body: '{"orderId":"7"}' } });
    expect(host().shadowRoot?.textContent).toContain('Kola');
    expect(fieldOf(host(), 'accountNumber')).toBe('9012345678');
  });

  it('creates one session in StrictMode, and ends with the component', async () => {
    const { calls, posted } = stubServer();
    const { host, root } = await open(
      <StrictMode>
        <TransferCheckout />
      </StrictMode>,
    );
    expect([posted().length, stateOf(host())]).toEqual([1, 'awaitingTransfer']);
    const shadow = host().shadowRoot;
    const held = calls.at(-1)?.init.signal;
    await act(async () => root.unmount());
    await settleImports();
    expect(shadow?.innerHTML).toBe('');
    expect(held).toHaveProperty('aborted', true);
  });

  it('neither restarts nor renders for equal options', async () => {
    // Stops the countdown: on a slow machine a second may pass.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { posted } = stubServer();
    const page = (onReady: () => void) => (
      <TransferCheckout
        body={{ orderId: '7' }}
        text={{ waiting: 'Hold on' }}
        languages={{ xx: async () => ({}) }}
        appearance={{ theme: 'dark' }}
        onReady={onReady}
      />
    );
    const { host, render } = await open(page(() => {}));
    const card = host().shadowRoot?.querySelector('.card');
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    observer.observe(host().shadowRoot as Node, { subtree: true, childList: true, characterData: true });
    await render(page(() => {}));
    observer.disconnect();
    expect([posted().length, changes]).toEqual([1, []]);
    expect(host().shadowRoot?.querySelector('.card')).toBe(card);
  });

  it('calls the latest callback', async () => {
    const { respond } = stubServer();
    const [first, second] = [vi.fn(), vi.fn()];
    const { render } = await open(<TransferCheckout onSucceeded={first} />);
    await render(<TransferCheckout onSucceeded={second} />);
    await act(() => respond({ outcome: 'paid' }));
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
    expect(second.mock.calls[0]?.[0]).toMatchObject({
      type: 'succeeded',
      detail: { payment: { outcome: 'paid' }, isFirst: expect.any(Boolean) },
    });
  });

  it('offers its methods through its ref', async () => {
    const { calls } = stubServer();
    const ref = createRef<Omit<CheckoutHandle, 'ref'>>();
    await open(<TransferCheckout ref={ref} />);
    ref.current?.refresh();
    await settleImports();
    expect(heldOf(calls)).toEqual([false, true, false, true]);
  });

  it('stays open above the page, and stays closed, when an option of the same order changes', async () => {
    stubServer();
    const ref = createRef<Omit<CheckoutHandle, 'ref'>>();
    const { host, render } = await open(<TransferCheckout ref={ref} merchantName="Kola" />);
    await act(async () => ref.current?.open());
    await render(<TransferCheckout ref={ref} merchantName="Ada" />);
    expect([modal()?.shadowRoot?.textContent, stateOf(host())]).toEqual([
      expect.stringContaining('Ada'),
      undefined,
    ]);
    await act(async () => ref.current?.close());
    await settleImports();
    modal()?.shadowRoot?.querySelector<HTMLElement>('.leave > div > button:last-child')?.click();
    await render(<TransferCheckout ref={ref} merchantName="Uche" />);
    expect([modal(), stateOf(host())]).toEqual([null, undefined]);
    await render(<TransferCheckout ref={ref} body={{ orderId: '8' }} />);
    expect([modal(), stateOf(host())]).toEqual([null, 'awaitingTransfer']);
  });

  it('continues after it was hidden for a moment', async () => {
    const { posted } = stubServer();
    let wait: Promise<void> | undefined;
    const Waiting = (): ReactNode => {
      if (wait) throw wait;
      return null;
    };
    const page = () => (
      <Suspense fallback="…">
        <TransferCheckout />
        <Waiting />
      </Suspense>
    );
    const { host, render } = await open(page());
    let go = (): void => {};
    wait = new Promise<void>((resolve) => (go = resolve));
    await render(page());
    wait = undefined;
    await act(async () => go());
    await settleImports();
    expect([stateOf(host()), posted().length]).toEqual(['awaitingTransfer', 1]);
  });
});

describe('useTransferCheckout', () => {
  function Shop({ isInline = false, onSucceeded }: { isInline?: boolean; onSucceeded?: () => void }) {
    const checkout = useTransferCheckout({ orderKey: '7', onSucceeded });
    return (
      <>
        <button type="button" onClick={({ currentTarget }) => checkout.open(currentTarget)}>
          Pay
        </button>
        {isInline && <div ref={checkout.ref} />}
      </>
    );
  }

  it('starts and opens a checkout above the page on demand', async () => {
    const { calls, respond } = stubServer();
    const onSucceeded = vi.fn();
    const { page, root } = await open(<Shop onSucceeded={onSucceeded} />);
    expect(calls).toEqual([]);
    page.querySelector('button')?.click();
    await settleImports();
    expect(stateOf(modal() as Element)).toBe('awaitingTransfer');
    await act(() => respond({ outcome: 'paid' }));
    expect(onSucceeded).toHaveBeenCalledOnce();
    await act(async () => root.unmount());
    expect(modal()).toBeNull();
  });
});

describe('useTransferCheckout with reopen', () => {
  const Pay = ({ reopen, orderKey = '7' }: { reopen?: boolean; orderKey?: string }) => {
    const checkout = useTransferCheckout({ orderKey }, { reopen });
    return <button type="button" onClick={() => checkout.open()} />;
  };

  /** Opens the checkout of order 7 and leaves it open, as a reload does. */
  async function leaveOpen(): Promise<void> {
    sessionStorage.clear();
    stubServer();
    const { root } = await open(<Pay />);
    document.querySelector('button')?.click();
    await settleImports();
    expect(dialog()?.open).toBe(true);
    const key = 'transfer-checkout-open';
    const stored = sessionStorage.getItem(key) ?? '';
    await act(async () => root.unmount());
    await settleImports();
    expect([dialog(), stored]).toEqual([undefined, expect.stringContaining('order-1001-1')]);
    sessionStorage.setItem(key, stored);
    onTestFinished(() => sessionStorage.clear());
  }

  it('opens the checkout that was open before a reload, also in StrictMode', async () => {
    await leaveOpen();
    await open(
      <StrictMode>
        <Pay reopen />
      </StrictMode>,
    );
    await settleImports();
    expect(dialog()?.open).toBe(true);
  });

  it.each([
    ['without reopen', {}],
    ['for another order', { reopen: true, orderKey: '8' }],
  ])('opens nothing %s', async (_name, props) => {
    await leaveOpen();
    await open(<Pay {...props} />);
    await settleImports();
    expect(dialog()).toBeUndefined();
  });
});
