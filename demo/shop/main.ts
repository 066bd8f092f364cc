import { mountCheckout } from 'transfer-checkout';
import { formatMoney } from '../money.ts';
import { byId, fillParts } from './elements.ts';
import { type Cart, readCart } from './read-cart.ts';

const notice = byId('notice');
const retry = byId<HTMLButtonElement>('retry');
const pay = byId<HTMLButtonElement>('pay');
const checkout = byId('checkout');

retry.addEventListener('click', showOrder);
pay.addEventListener('click', openCheckout);
showOrder();

async function showOrder(): Promise<void> {
  setShown(retry, false);
  notice.textContent = 'Looking up your order…';
  try {
    const cart = await readCart();
    if (cart === undefined) explainMissingCart();
    else showCart(cart);
  } catch (error) {
    console.error(error);
    notice.textContent = 'The shop does not answer just now. Look at your connection and try again.';
    setShown(retry, true);
  }
}

function explainMissingCart(): void {
  const link = document.createElement('a');
  link.href = '/';
  link.textContent = 'Start at the shop’s front page';
  notice.replaceChildren(
    'This browser has no order here. ',
    link,
    '; if that changes nothing, allow cookies for this site.',
  );
}

function showCart({ orderId, items, total, isPaid, controlPanel }: Cart): void {
  notice.textContent = '';
  byId('order-id').textContent = orderId;
  byId('total').textContent = formatMoney(total);
  const row = byId<HTMLTemplateElement>('item').content;
  const rows = items.map(({ title, author, price }) => {
    const copy = row.cloneNode(true) as DocumentFragment;
    fillParts(copy, { title, author, price: formatMoney({ value: price, currency: total.currency }) });
    return copy;
  });
  byId('items').replaceChildren(...rows);
  byId('order').hidden = false;
  byId('help').hidden = controlPanel === null;
  // A paid order is never offered for payment again: its checkout shows the receipt.
  if (isPaid) openCheckout();
  else pay.hidden = false;
}

/** The whole of what a shop does to take a payment: one call, with an element to put the checkout in. */
function openCheckout(): void {
  pay.hidden = true;
  mountCheckout(checkout, {
    baseUrl: '/checkout',
    merchantName: 'Kola’s Bookshop',
    returnUrl: '/',
    onSucceeded: showPaid,
    onError: ({ detail }) => console.error(detail.error),
  });
  // The button that had the focus is gone; a keyboard or a screen reader goes on from the checkout.
  checkout.focus({ preventScroll: true });
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  checkout.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
}

function showPaid(): void {
  byId('paid').textContent = 'Your order is paid. We are packing your books.';
  byId('help').hidden = true;
  byId('again').hidden = false;
}

function setShown(button: HTMLButtonElement, isShown: boolean): void {
  const line = button.closest('p');
  if (line !== null) line.hidden = !isShown;
}
