import type { PaymentView } from 'transfer-checkout';
import { renderCheckout } from 'transfer-checkout/render';

const head = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Pay for your order – Kola’s Bookshop</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/shop.css">
    <link rel="preload" href="/package/checkout.css" as="style">
    <script src="/package/checkout.js" async></script>
  </head>
  <body>
    <header class="shop">
      <p class="brand">Kola’s Bookshop</p>
      <p class="quiet">Lagos · books by post</p>
    </header>
    <main>
      <div class="pay">`;

const foot = `</div>
    </main>
    <footer class="quiet">
      A demo of transfer-checkout, rendered on the server: the account can be read before any script, and without one.
      <a href="/">The same page by npm import</a>
    </footer>
  </body>
</html>
`;

/** Renders a page whose checkout is readable before any script; the script then takes it over. */
export async function renderPage(session: PaymentView): Promise<string> {
  const checkout = await renderCheckout(session, {
    baseUrl: '/checkout',
    merchantName: 'Kola’s Bookshop',
    returnUrl: '/',
    supportEmail: 'help@kolas-bookshop.example',
    stylesheet: '/package/checkout.css',
    script: '/package/checkout.js',
    timeZone: 'Africa/Lagos',
  });
  return head + checkout + foot;
}
