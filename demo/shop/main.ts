import { type CheckoutOptions, mountCheckout, redirectToCheckout, resume } from 'transfer-checkout';
import { formatMoney } from '../money.ts';
import { byId, fillParts } from './elements.ts';
import { type Cart, readCart } from './read-cart.ts';

const notice = byId('notice');
const retry = byId<HTMLButtonElement>('retry');
const pay = byId<HTMLButtonElement>('pay');
const checkout = byId('checkout');
const baseUrl = '/checkout';

retry.addEventListener('click', showOrder);
pay.addEventListener('click', () => openCheckout(mountCheckout));
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
    notice.textContent = 'The shop is not responding. Check your connection and try again.';
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
    '; if that does not help, allow cookies for this site.',
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
  byId('pay-elsewhere').addEventListener('click', () => payElsewhere(orderId));
  // Back from the payment page. The query only decides which text is shown.
  if (new URLSearchParams(location.search).has('returned')) openCheckout(resume, orderId);
  // A paid order is never offered for payment again: its checkout shows the receipt.
  else if (isPaid) openCheckout(mountCheckout);
  else {
    pay.hidden = false;
    byId('elsewhere').hidden = false;
  }
}

/** Everything that a shop needs to take a payment: one call with an element for the checkout. */
function openCheckout(mount: typeof mountCheckout, orderKey?: string): void {
  pay.hidden = true;
  byId('elsewhere').hidden = true;
  const options: CheckoutOptions = {
    baseUrl,
    orderKey,
    merchantName: 'Kola’s Bookshop',
    returnUrl: '/',
    supportEmail: 'help@kolas-bookshop.example',
    onSucceeded: showPaid,
    onError: ({ detail }) => console.error(detail.error),
  };
  mount(checkout, options);
  // The focused button is gone, so keyboards and screen readers continue in the checkout.
  checkout.focus({ preventScroll: true });
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  checkout.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
}

/** The same on the payment service's own page, which sends the shopper back to the order's `returnUrl`. */
async function payElsewhere(orderKey: string): Promise<void> {
  try {
    await redirectToCheckout({ baseUrl, orderKey });
  } catch (error) {
    console.error(error);
    notice.textContent = 'The payment page cannot be reached right now. Try again, or pay here.';
  }
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
