import { type GalleryScreen, screens } from '../../../demo/gallery/screens.ts';
import { showScreen } from '../../../demo/gallery/show-screen.ts';
import type { Account, PaymentView } from '../../../src/contract/index.ts';
import type { State } from '../../../src/core/state.ts';
import { en } from '../../../src/i18n/en.ts';
import { policyKeys } from '../../../src/widget/description/explanation.ts';
import type { Settings } from '../../../src/widget/model/checkout-model.ts';
import { hostile } from '../../widget/hostile-text.ts';

declare global {
  interface Window {
    showHostile: typeof showHostile;
  }
}

export type HostileLook = {
  readonly name: string;
  readonly locale: string;
  /** The merchant writes every text of the checkout. */
  readonly isOwnText: boolean;
  readonly letters: number;
};

/** Writes a hostile text with a name. */
type Write = (name: string) => string;

const inAccount = (write: Write): Account => ({
  number: write('number'),
  name: write('account'),
  bankName: write('bank'),
});

const inPayment = (payment: PaymentView, write: Write): PaymentView => ({
  ...payment,
  account: inAccount(write),
  reference: write('reference'),
  orderId: write('order'),
  ...(payment.paymentReference && { paymentReference: write('paid') }),
});

const inState = (state: State, write: Write): State => ({
  ...state,
  ...('payment' in state && { payment: inPayment(state.payment, write) }),
  ...('previous' in state && state.previous && { previous: inPayment(state.previous, write) }),
  ...('stored' in state && state.stored && { stored: { ...state.stored, reference: write('stored') } }),
});

const inSettings = ({ logo, ussd, ...settings }: Settings, write: Write): Settings => ({
  ...settings,
  merchantName: write('shop'),
  supportEmail: `${write('help').replace(/[\s&?]/g, '')}@shop.example`,
  ...(logo && { logo: { ...logo, alt: write('logo') } }),
  ...(ussd && { ussd: ussd.map((bank) => ({ ...bank, bank: write('ussd') })) }),
});

/** Returns the screen with a hostile text in each field that takes any text. */
const inScreen = (screen: GalleryScreen, write: Write): GalleryScreen => ({
  ...screen,
  settings: inSettings(screen.settings ?? {}, write),
  state: inState(screen.state, write),
  ...(screen.before && { before: inState(screen.before, write) }),
});

/** Returns what is wider than the card, or for a dialog than the page, but for what only screen readers read. */
function findWide(card: Element): string[] {
  const page = document.documentElement;
  const wide = [...card.querySelectorAll('*')].filter((one) => {
    const { left, right } = (one.closest('.leave') ? page : card).getBoundingClientRect();
    const place = one.getBoundingClientRect();
    const isWide = place.left < left - 1 || place.right > right + 1;
    return isWide && one.getClientRects().length > 0 && !one.closest('.spoken, [role="status"]');
  });
  return [
    ...(page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth} px wide`] : []),
    ...wide.map((one) => `${one.localName} ${one.getAttribute('class')} in ${one.parentElement?.className}`),
  ];
}

/** Shows a screen with hostile texts, and returns what they have done. */
async function showHostile({ name, locale, isOwnText, letters }: HostileLook): Promise<string[]> {
  const screen = screens.find((one) => one.name === name);
  if (screen === undefined) throw new Error(`There is no screen ${name}.`);
  // A bank's code needs a number of digits.
  const write: Write = (field) =>
    field === 'number' && screen.settings?.ussd ? '1' : hostile(field, letters);
  const text = Object.fromEntries([...Object.keys(en), ...policyKeys].map((key) => [key, write(key)]));
  const host = document.body.appendChild(document.createElement('div'));
  const remove = await showScreen(host, inScreen(screen, write), { locale, ...(isOwnText && { text }) });
  const { shadowRoot } = host;
  const card = shadowRoot?.querySelector('.card');
  const made = [document, shadowRoot].flatMap((root) => [
    ...(root?.querySelectorAll('x-hostile, [onerror], [src=x]') ?? []),
  ]);
  const found = [
    ...(card?.textContent?.includes('<x-hostile>') ? [] : ['no hostile text']),
    ...made.map((one) => `an element: ${one.outerHTML.slice(0, 100)}`),
    ...(card ? findWide(card) : ['no card']),
  ];
  remove();
  host.remove();
  return found;
}

window.alert = () => console.error('A text has run as a script.');
window.showHostile = showHostile;
