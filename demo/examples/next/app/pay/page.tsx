import { cookies, headers } from 'next/headers';
import Link from 'next/link';
import { renderCheckout } from 'transfer-checkout/render';
import { getShop } from '../../shop';

const merchantName = "Kola's Bookshop";

/** Shows the account before any script. `checkout.js` then takes over, and says so if there is no order. */
export default async function PayPage() {
  const { checkout, orders } = getShop();
  const order = orders.get((await cookies()).get('order')?.value ?? '');
  // After a navigation in the browser React inserts the HTML by script, which leaves declarative shadow roots alone.
  const isDocument = (await headers()).get('sec-fetch-dest') !== 'empty';
  const html =
    order && isDocument
      ? await renderCheckout(await checkout.createSession(order), {
          stylesheet: '/assets/checkout.css',
          merchantName,
        })
      : `<transfer-checkout merchant-name="${merchantName}"></transfer-checkout>`;
  return (
    <>
      <h1>Your order</h1>
      <script src="/assets/checkout.js" async />
      {/* The browser takes the shadow root out of this HTML, which React must not complain of. */}
      <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
      <Link href="/">Back to the shop</Link>
    </>
  );
}
