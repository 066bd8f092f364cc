import { signal } from '@preact/signals';
import {
  type CheckoutOptions,
  createTransferCheckout,
  mountCheckout,
  type PaymentView,
  redirectToCheckout,
  resume,
  wasOpen,
} from 'transfer-checkout';
import {
  createSandboxCalls,
  type SandboxCalls,
} from '../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { byId } from '../elements.ts';
import { serverReady } from '../start/server-ready.ts';
import { hide, rememberPress } from './pay-button.ts';
import { type Cart, readCart, readEvents, UnavailableError } from './read-cart.ts';
import { showNotice, showOrder } from './show-order.ts';

const pay = byId<HTMLButtonElement>('pay');
const starting = byId('starting');
const retry = byId<HTMLButtonElement>('retry');
const checkout = byId('checkout');
const pathOf = (path: string): string => new URL(path, document.baseURI).pathname;
const baseUrl = pathOf('./checkout');

/** The payment that the checkout shows, again after each change of it. */
const onPage = signal<{ reference: string } | undefined>(undefined);

const setPress = rememberPress({ button: pay, starting });
retry.addEventListener('click', start);
// Last: the order can be paid before the film has loaded.
start().then(addFilm).catch(console.error);

async function start(): Promise<void> {
  pay.hidden = false;
  setRetryShown(false);
  try {
    await serverReady();
  } catch (error) {
    console.error(error);
    return explainMissingServer(error as Error);
  }
  try {
    const cart = await readCart();
    if (cart === undefined) explainMissingCart();
    else await useCart(cart);
  } catch (error) {
    console.error(error);
    hidePay();
    const isExplained = error instanceof UnavailableError;
    showNotice(
      isExplained ? error.message : 'The shop is not responding. Check your connection and try again.',
    );
    setRetryShown(true);
  }
}

function explainMissingServer({ message }: Error): void {
  hidePay();
  byId('order').hidden = true;
  showNotice(message, { href: './gallery.html', text: 'See all screens of the checkout' });
}

function explainMissingCart(): void {
  hidePay();
  showNotice('This browser has no order here.', {
    href: './',
    text: 'Start at the shop’s front page',
    after: '; if that does not help, allow cookies for this site.',
  });
}

async function useCart(cart: Cart): Promise<void> {
  const { orderId, wasPaid, controlPanel, notice } = cart;
  showNotice(notice ?? '');
  showOrder(cart);
  const serviceUrl = new URL('./service', document.baseURI).href;
  const calls = controlPanel === null ? undefined : createSandboxCalls({ serviceUrl });
  for (const link of document.querySelectorAll<HTMLElement>('[data-needs="sandbox"]'))
    link.hidden = calls === undefined;
  byId('pay-elsewhere').addEventListener('click', () => payElsewhere(orderId));
  byId('pay-modal').addEventListener('click', () => open(openModal));
  const open = (mount: Mount, orderKey?: string): void => {
    openCheckout(mount, orderKey);
    if (calls !== undefined) addBank(calls).catch(console.error);
    addActivity(calls).catch(console.error);
  };
  // Back from the payment page. The query only decides which text is shown.
  if (new URLSearchParams(location.search).has('returned')) open(resume, orderId);
  // An order that was paid is never offered for payment again: its checkout shows the receipt. A reload shows an open payment again.
  else if (wasPaid || (await wasOpen({ baseUrl }))) open(mountCheckout);
  else {
    byId('elsewhere').hidden = false;
    setPress(() => open(mountCheckout));
  }
}

/** What the shop says in the checkout: the same options in the film. */
const shopOptions = {
  merchantName: 'Kola’s Bookshop',
  supportEmail: 'help@kolas-bookshop.example',
  text: {
    succeededLead: 'Thank you. We are packing your books.',
    latePolicy: 'We are packing your books.',
    reversedPolicy:
      'We are not sending your books. If the money is not back by then, contact us and give us this reference.',
  },
};

type Mount = (element: Element, options: CheckoutOptions) => unknown;

/** Above the page. Once it is closed, the payment goes on in the page, beside the bank app. */
function openModal(element: Element, options: CheckoutOptions): void {
  const onClose = (): void => void mountCheckout(element, options);
  createTransferCheckout({ ...options, onClose })
    .open(element)
    .catch(console.error);
}

/** Everything that a shop needs to take a payment: one call with an element for the checkout. */
function openCheckout(mount: Mount, orderKey?: string): void {
  const isByKeyboard = pay.matches(':focus-visible');
  hidePay();
  byId('elsewhere').hidden = true;
  removeFilm();
  document.body.dataset.progress = 'paying';
  const options: CheckoutOptions = {
    ...shopOptions,
    baseUrl,
    orderKey,
    returnUrl: pathOf('./'),
    onStatusChange: ({ detail }) => follow(detail.payment),
    onPartlyPaid: ({ detail }) => follow(detail.payment),
    onError: ({ detail }) => console.error(detail.error),
  };
  mount(checkout, options);
  // The focused button is gone, so keyboards and screen readers continue in the checkout.
  if (!isByKeyboard) checkout.style.outline = 'none';
  checkout.focus({ preventScroll: true });
  scrollTo(checkout);
}

function hidePay(): void {
  hide(starting);
  pay.hidden = true;
}

function follow(payment: PaymentView | undefined): void {
  if (payment === undefined) return;
  onPage.value = { reference: payment.paymentReference ?? payment.reference };
}

/** The same on the payment service's own page, which sends the shopper back to the order's `returnUrl`. */
async function payElsewhere(orderKey: string): Promise<void> {
  try {
    await redirectToCheckout({ baseUrl, orderKey });
  } catch (error) {
    console.error(error);
    showNotice('The payment page cannot be reached right now. Try again, or pay here.');
  }
}

/** The bank app, for a shop with the sandbox. It loads while the checkout gets its account. */
async function addBank(calls: SandboxCalls): Promise<void> {
  const { showBank } = await import('../bank/show-bank.tsx');
  showBank(byId('bank'), { calls, onPage, onSent: comeBack });
}

/** A shopper comes back from the bank app, and the checkout checks at once: here both are in one page. */
function comeBack(): void {
  for (const ms of [500, 2500, 5000]) setTimeout(() => dispatchEvent(new Event('pageshow')), ms);
}

async function addActivity(calls: SandboxCalls | undefined): Promise<void> {
  const { showActivity } = await import('../activity/show-activity.tsx');
  const isOpen = matchMedia('(min-width: 76rem)').matches;
  const options = { readEvents, calls, onPage, isOpen, storage: sessionStorage, page: document };
  showActivity(byId('activity'), options);
}

let removeFilm = (): void => {};

/** What the visitor is about to see, once the page has nothing else to do. */
async function addFilm(): Promise<void> {
  const isPaying = (): boolean => document.body.dataset.progress !== undefined;
  if (isPaying()) return;
  const { showFilm } = await import('../film/show-film.tsx');
  if (isPaying()) return;
  removeFilm = showFilm(byId('film'), {
    settings: { ...shopOptions, theme: 'auto', returnUrl: document.baseURI },
    isPlaying: !isCalm(),
    onTry: () => pay.click(),
  });
}

const isCalm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function scrollTo(element: Element): void {
  element.scrollIntoView({ block: 'start', behavior: isCalm() ? 'auto' : 'smooth' });
}

function setRetryShown(isShown: boolean): void {
  const line = retry.closest('p');
  if (line !== null) line.hidden = !isShown;
}
