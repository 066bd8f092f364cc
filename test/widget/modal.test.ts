import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckoutOptions, TransferCheckout } from '../../src/index.ts';
import { create, place, stateOf, stubServer } from '../entry/shop.ts';
import { settleImports } from '../settle.ts';

const hosts = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-checkout-modal]')];
const dialog = () => hosts().at(-1)?.shadowRoot?.querySelector('dialog') as HTMLDialogElement;
const inDialog = (selector: string) => dialog().querySelector<HTMLElement>(selector);

/** Does what a browser does on the first Escape, or Back on Android: it dispatches `cancel`. */
const pressEscape = (): boolean => dialog().dispatchEvent(new Event('cancel', { cancelable: true }));

async function opened(options?: CheckoutOptions, target?: Element): Promise<TransferCheckout> {
  const checkout = create(options);
  await checkout.open(target);
  await settleImports();
  return checkout;
}

describe('the modal', () => {
  it('shows one checkout above the page, and the same one at once after closing', async () => {
    const { posted } = stubServer({ outcome: 'paid' });
    const checkout = create();
    await Promise.all([checkout.open(), checkout.open()]);
    await checkout.open();
    await settleImports();
    expect(hosts().map(stateOf)).toEqual(['succeeded']);
    expect(dialog().open).toBe(true);
    checkout.close();
    expect(hosts()).toEqual([]);
    await checkout.open();
    expect([stateOf(hosts()[0] as Element), posted().length]).toEqual(['succeeded', 1]);
    checkout.unmount();
    expect(hosts()).toEqual([]);
  });

  it('has a label and takes the focus', async () => {
    stubServer();
    await opened({ merchantName: 'Kola', locale: 'fr' });
    expect(dialog().getAttribute('aria-label')).toBe('Payer par virement bancaire – Kola');
    expect(hosts()[0]?.shadowRoot?.activeElement).toBe(inDialog('h2'));
    expect(inDialog('[data-action="close"]')?.getAttribute('aria-label')).toBe('Fermer');
  });

  it.each([
    ['Escape', () => void pressEscape()],
    ['its button', () => inDialog('[data-action="close"]')?.click()],
    [
      'a press beside it',
      () => {
        dialog().dispatchEvent(new Event('pointerdown', { bubbles: true }));
        dialog().click();
      },
    ],
    ['a browser that closes without asking', () => dialog().close()],
  ])('is closed by %s, after a warning while money may be on its way', async (_, act) => {
    const { respond } = stubServer();
    const onClose = vi.fn();
    await opened({ onClose });
    act();
    await settleImports();
    expect(dialog().open).toBe(true);
    expect(inDialog('[role="alertdialog"]')?.textContent).toContain('Before you go');
    await respond({ outcome: 'paid' });
    await expect.poll(() => hosts().map(stateOf)).toEqual(['succeeded']);
    act();
    await expect.poll(hosts).toEqual([]);
    expect(onClose.mock.calls).toMatchObject([[{ detail: { state: 'succeeded' } }]]);
  });

  it('restarts in the same dialog for another order', async () => {
    stubServer();
    const checkout = await opened({ body: { orderId: '1' } });
    const before = dialog();
    checkout.update({ body: { orderId: '2' } });
    await settleImports();
    expect(dialog()).toBe(before);
    expect(before.open).toBe(true);
    expect(hosts().map(stateOf)).toEqual(['awaitingTransfer']);
  });

  it('can be unmounted or closed right after it was opened', async () => {
    stubServer();
    const checkout = create();
    for (const act of [checkout.unmount, checkout.close]) {
      const opening = checkout.open();
      act();
      await opening;
      expect(hosts()).toEqual([]);
    }
  });

  it('opens again after the page has removed its dialog', async () => {
    stubServer();
    const checkout = await opened();
    hosts()[0]?.remove();
    await checkout.open();
    expect(hosts()).toHaveLength(1);
    expect(dialog().open).toBe(true);
  });

  it('dispatches its events on the target, or the last host, or else up to the document', async () => {
    stubServer({ outcome: 'paid' });
    const [button, inline] = [place('button'), place('div')];
    const events: [string, EventTarget | null][] = [];
    const note = (event: Event): void => void events.push([event.type, event.target]);
    for (const target of [button, inline]) target.addEventListener('close', note);
    document.addEventListener('ready', note);
    onTestFinished(() => document.removeEventListener('ready', note));
    (await opened({}, button)).close();
    const moved = create({ orderKey: '2' }).mount(inline);
    await moved.open();
    await settleImports();
    moved.close();
    await opened({ orderKey: '3' });
    expect(events).toEqual([
      ['ready', button],
      ['close', button],
      ['ready', inline],
      ['close', inline],
      ['ready', hosts()[0]],
    ]);
  });
});
