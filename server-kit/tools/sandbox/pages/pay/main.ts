import { mountCheckout } from 'transfer-checkout';
import type { PageShop } from '../../http/checkout-page.ts';

/** Long enough to read the receipt before the page returns to the shop. */
const returnAfterSeconds = 5;

/** The page's address is also the base URL of its link's routes. */
const baseUrl = location.pathname.replace(/\/$/, '');

await show();

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element with the id "${id}".`);
  return element;
}

async function show(): Promise<void> {
  const notice = byId('notice');
  try {
    const response = await fetch(`${baseUrl}/shop`);
    if (response.ok) return showCheckout((await response.json()) as PageShop);
    notice.textContent = 'This payment does not exist. Go back to the shop and choose how to pay.';
  } catch (error) {
    notice.textContent = 'This page could not be loaded. Check your connection and load it again.';
    throw error;
  }
}

/** Showing the checkout opens the link, which creates the payment. */
function showCheckout({ merchantName, returnUrl }: PageShop): void {
  document.title = `Pay ${merchantName}`;
  mountCheckout(byId('checkout'), {
    baseUrl,
    merchantName,
    orderKey: baseUrl,
    ...(returnUrl !== null && { returnUrl, returnAfterSeconds }),
  });
  byId('help').hidden = false;
}
