import type { PaymentView } from 'transfer-checkout';
import { renderCheckout } from 'transfer-checkout/render';
import { formatMoney } from '../../server-kit/tools/sandbox/pages/format/money.ts';
import { fileNameOf } from '../../src/entry/file-names.ts';
import type { ShopPageName } from '../shop-pages.ts';
import { siteHeader } from '../site-header.ts';
import { booksIn, type Cart, currency, totalOf } from './cart.ts';
import { shopName } from './shop-checkout.ts';

/** A strict policy, under which the widget has to work. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/** A page that the shop's server makes. All its addresses are relative, because the shop may be in a folder of its host. */
export type ShopPage = {
  name: ShopPageName;
  cart: Cart;
  /** The order was paid once; its money may have been taken back later. */
  wasPaid: boolean;
  isReversed: boolean;
  /** The path of the shop: empty at the root of its host. */
  root: string;
  hasPanel: boolean;
};

const script = 'package/checkout.js';

/** The checkout by script tag: plain HTML and one script. */
export const scriptTagPage = (page: ShopPage): string =>
  layout(page, {
    head: `<link rel="modulepreload" href="package/${fileNameOf('widget')}">`,
    main: `<section class="card order" aria-labelledby="order-title">
        <h1 id="order-title">Your order</h1>
        <ul class="items">${booksIn(page.cart).map(itemOf).join('')}
        </ul>
        <p class="total"><span>Total</span> <strong>${formatMoney({ value: totalOf(page.cart), currency })}</strong></p>
      </section>
      <div class="pay">
        <button
          type="button"
          class="${page.wasPaid ? '' : 'primary'}"
          data-transfer-checkout="#checkout"
          data-base-url="${page.root}/checkout"
          data-merchant-name="${shopName}"
          data-return-url="${page.root}/"
          data-support-email="help@kolas-bookshop.example"
        >${page.wasPaid ? 'Show your payment' : 'Pay by bank transfer'}</button>
        <div id="checkout"></div>`,
    foot: 'A demo of transfer-checkout, by script tag: plain HTML and one script.',
  });

/** A page whose checkout can be read before any script; the script then takes it over. */
export async function renderedPage(page: ShopPage, session: PaymentView): Promise<string> {
  const checkout = await renderCheckout(session, {
    baseUrl: `${page.root}/checkout`,
    merchantName: shopName,
    returnUrl: `${page.root}/`,
    supportEmail: 'help@kolas-bookshop.example',
    stylesheet: `${page.root}/package/checkout.css`,
    script: `${page.root}/${script}`,
    timeZone: 'Africa/Lagos',
  });
  return layout(page, {
    bodyClass: 'narrow',
    head: '<link rel="preload" href="package/checkout.css" as="style">',
    main: `<div class="pay">
        ${checkout}`,
    foot: 'A demo of transfer-checkout, rendered on the server: the account can be read before any script, and without one.',
  });
}

type Parts = Record<'head' | 'main' | 'foot', string> & { bodyClass?: string };

function layout(page: ShopPage, { head, main, foot, bodyClass = 'wide' }: Parts): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Pay for your order – ${shopName}</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="site.css">
    ${head}
    <script src="${script}" async></script>
  </head>
  <body class="${bodyClass}">
    ${siteHeader('', page.hasPanel)}
    <p class="shop brand">${shopName}</p>
    <main>
      ${main}
        ${statusOf(page)}
        ${newOrderForm(page)}
      </div>
    </main>
    <footer class="quiet">
      ${foot} <a href="./">The same by npm import</a>
    </footer>
  </body>
</html>
`;
}

function statusOf({ name, wasPaid, isReversed, hasPanel }: ShopPage): string {
  if (isReversed) return '<p id="paid">Your payment was reversed.</p>';
  if (wasPaid) return '<p id="paid">This order is paid.</p>';
  return hasPanel ? help(name) : '';
}

const help = (page: string): string => `<p class="help">
          This is a demo: copy the account number, and make the transfer in the
          <a href="bank.html?back=${page}">bank app</a>. Then come back.
        </p>`;

const newOrderForm = ({ name, wasPaid }: ShopPage): string => `<form method="post" action="cart/new">
          <input type="hidden" name="back" value="${name}">
          <button type="submit" class="${wasPaid ? 'primary' : ''}">Start a new order</button>
        </form>`;

const itemOf = ({ title, author, price }: ReturnType<typeof booksIn>[number]): string => `
          <li>
            <span class="cover" aria-hidden="true"></span>
            <span class="book"><cite>${title}</cite> <span class="quiet">${author}</span></span>
            <span class="price">${formatMoney({ value: price, currency })}</span>
          </li>`;
