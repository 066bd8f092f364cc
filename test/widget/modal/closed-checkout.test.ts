import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PaymentView } from '../../../src/contract/index.ts';
import { type CheckoutOptions, createTransferCheckout } from '../../../src/index.ts';
import { lineLifetimeMs } from '../../../src/widget/announcer/announcements.ts';
import { place, stubServer } from '../../entry/shop.ts';
import { settle, settleImports } from '../../settle.ts';

const regions = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('body > [role="status"]')];
const announced = (): string =>
  regions()
    .map(({ textContent }) => textContent)
    .join();

const write = (node: Node | null | undefined, text: string): void => {
  if (node) node.textContent = text;
};

/** Opens a checkout from a button of the page, and leaves it. */
async function closed(first: Partial<PaymentView> = {}, options: CheckoutOptions = {}, html = 'Pay') {
  const { respond } = stubServer(first);
  const button = place('button');
  button.innerHTML = html;
  const checkout = createTransferCheckout(options);
  onTestFinished(() => checkout.unmount());
  await checkout.open(button);
  await settleImports();
  const host = document.querySelector('[data-checkout-modal]');
  checkout.close();
  await settleImports();
  // While money may be on its way, a dialog asks first.
  [...(host?.shadowRoot?.querySelectorAll<HTMLElement>('[role="alertdialog"] button') ?? [])].at(-1)?.click();
  expect(host?.isConnected).toBe(false);
  return { respond, button, checkout };
}

describe('the button of a closed modal', () => {
  it('says that a payment waits, then that it is paid, which the page and screen readers hear', async () => {
    const { respond, button } = await closed();
    const events: string[] = [];
    for (const name of ['statuschange', 'succeeded'])
      button.addEventListener(name, ({ type }) => events.push(type));
    expect([button.textContent, button.lang, announced()]).toEqual(['See your payment', 'en', '']);
    await respond({ outcome: 'paid', chargedAmount: 1_250_000 });
    expect([button.textContent, announced()]).toEqual(['Paid', 'Payment received']);
    expect(events).toEqual(['statuschange', 'succeeded']);
  });

  it.each<[string, Partial<PaymentView>, string]>([
    ['paid', { outcome: 'paid', chargedAmount: 1_250_000 }, 'Paid'],
    ['paid late', { outcome: 'paid', receivedLate: true, chargedAmount: 1_250_000 }, 'Paid'],
    ['being confirmed', { status: 'charged', chargedAmount: 1_250_000 }, 'See your payment'],
    ['expired and never paid', { outcome: 'expired' }, 'Pay'],
    ['expired and partly paid', { outcome: 'expired', chargedAmount: 5 }, 'See your payment'],
    ['failed', { outcome: 'failed' }, 'Pay'],
    ['failed with another amount', { outcome: 'amountMismatch', chargedAmount: 5 }, 'See your payment'],
    ['reversed', { outcome: 'reversed' }, 'See your payment'],
  ])('has a label for the payment behind it: %s', async (_, first, label) => {
    const { button } = await closed(first);
    // The shopper has already seen it on the screen.
    expect([button.textContent, announced()]).toEqual([label, '']);
  });

  it('has its own label again when the account expires without money', async () => {
    const { respond, button } = await closed();
    await respond({ outcome: 'expired' });
    expect([button.textContent, button.lang, announced()]).toEqual(['Pay', '', '']);
  });

  it.each<[string, (page: Awaited<ReturnType<typeof closed>>) => unknown]>([
    ['opened again', ({ checkout, button }) => checkout.open(button)],
    ['unmounted', ({ checkout }) => checkout.unmount()],
    ['for another order', ({ checkout }) => checkout.update({ body: { orderId: '8' } })],
  ])('has its own label again when the checkout is %s, and the live region is gone', async (_, act) => {
    const page = await closed();
    await act(page);
    await settleImports();
    expect([page.button.textContent, regions()]).toEqual(['Pay', []]);
  });

  it('keeps its icon, and has one text for eyes and screen readers', async () => {
    const html = '<svg><title>Bank</title></svg><b>Pay</b> NGN <i>12,500</i>';
    const { button, checkout } = await closed({}, {}, html);
    expect(button.innerHTML).toBe('<svg><title>Bank</title></svg><b>See your payment</b><i></i>');
    checkout.unmount();
    expect(button.innerHTML).toBe(html);
  });

  it('has its own accessible name replaced, too', async () => {
    const { respond, button, checkout } = await closed({}, {}, '<svg></svg>');
    expect(button.getAttribute('aria-label')).toBeNull();
    button.setAttribute('aria-label', 'Pay by transfer');
    await respond({ outcome: 'paid', chargedAmount: 1_250_000 });
    expect(button.getAttribute('aria-label')).toBe('Paid');
    checkout.unmount();
    expect(button.getAttribute('aria-label')).toBe('Pay by transfer');
  });

  it('keeps a text that the page writes meanwhile', async () => {
    const { button, checkout } = await closed();
    if (button.firstChild) button.firstChild.nodeValue = 'Pay again';
    checkout.unmount();
    expect(button.textContent).toBe('Pay again');
  });

  it.each<[string, (texts: readonly (Node | null)[], button: Element) => unknown, string, string]>([
    ['beside its label', ([, amount]) => void write(amount, '8'), 'See your payment', 'Pay 8'],
    ['over its label', ([pay]) => void write(pay, 'Buy '), 'Buy 7', 'Buy 7'],
    ['in a new node', (_, button) => button.append('!'), 'See your payment', 'Pay 7!'],
    ['in its place', (_, button) => void write(button, 'Thanks'), 'Thanks', 'Thanks'],
  ])('never mixes its label with what the page writes %s', async (_, act, shown, own) => {
    const { respond, button, checkout } = await closed({}, {}, 'Pay <!-- -->7');
    act([button.firstChild, button.lastChild], button);
    await settle();
    expect(button.textContent).toBe(shown);
    await respond({ outcome: 'paid', chargedAmount: 1_250_000 });
    expect(button.textContent).toBe('Paid');
    checkout.unmount();
    expect(button.textContent).toBe(own);
  });

  it('has the merchant’s texts, and its own label for an empty one', async () => {
    const text = { seePayment: '', paid: { en: 'Thanks!', fr: 'Merci !' } };
    const { respond, button } = await closed({}, { text, locale: 'fr' });
    expect([button.textContent, button.lang]).toEqual(['Pay', '']);
    await respond({ outcome: 'paid', chargedAmount: 1_250_000 });
    expect([button.textContent, button.lang, announced()]).toEqual(['Merci !', 'fr', 'Paiement reçu']);
  });

  it('has a live region, which is emptied after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { respond } = await closed();
    await respond({ outcome: 'paid', chargedAmount: 1_250_000 });
    expect(announced()).toBe('Payment received');
    vi.advanceTimersByTime(lineLifetimeMs);
    expect(announced()).toBe('');
  });

  it('is relabelled only as a button: another element that opened the modal keeps its content', async () => {
    const { respond } = stubServer({ outcome: 'expired' });
    const host = place('div');
    host.textContent = 'Pay';
    const checkout = createTransferCheckout();
    onTestFinished(() => checkout.unmount());
    await checkout.open(host);
    await settleImports();
    checkout.close();
    await respond({});
    expect(host.textContent).toBe('Pay');
  });
});
