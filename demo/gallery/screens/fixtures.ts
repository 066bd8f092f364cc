import type { PaymentView } from '../../../src/contract/index.ts';
import type { Connection, PaymentState, State } from '../../../src/core/state.ts';
import type { Settings } from '../../../src/options/options.ts';

/** The service's time on every screen; the monotonic clock is at 0. */
const now = Date.parse('2026-11-21T14:00:19Z');

export const waiting: PaymentView = {
  reference: 'order-1001-1',
  account: { number: '9012345678', name: 'Kola’s Bookshop', bankName: 'Sandbox Bank' },
  amount: { value: 1_250_000, currency: 'NGN' },
  chargedAmount: 0,
  status: 'awaiting_charge',
  outcome: 'pending',
  openedAt: '2026-11-21T14:00:00Z',
  expiresAt: '2026-11-21T14:30:00Z',
  liveMode: true,
};

const marks = { isOffline: false, checkedAtMs: 0, serviceOffsetMs: now };
const paidAt = '2026-11-21T14:03:40Z';

type ShownName = Exclude<PaymentState['name'], 'checking'>;

export function shown(
  name: ShownName,
  changes: Partial<PaymentView> = {},
  connection: Connection = 'ok',
): State & PaymentState {
  return { ...marks, name, connection, payment: { ...waiting, ...changes } };
}

export function checking(reason: 'sent' | 'unclear', changes: Partial<PaymentView> = {}): State {
  const payment = { ...waiting, ...changes };
  return { ...marks, checkedAtMs: -5000, name: 'checking', reason, connection: 'ok', payment };
}

export const expired = (changes: Partial<PaymentView> = {}): State & PaymentState =>
  shown('expired', { outcome: 'expired', status: 'expired', ...changes });

export const paid = { outcome: 'paid', status: 'succeeded', chargedAmount: 1_250_000, paidAt } as const;
/** The payment service does not know the payment any more. */
export const notFound = { outcome: 'unclear', status: 'not_found' } as const;
export const inTest = { liveMode: false };
export const shop: Settings = {
  merchantName: 'Kola’s Bookshop',
  returnUrl: 'https://shop.example/orders/1001',
  supportEmail: 'help@shop.example',
};
/** Everything a merchant can offer besides the account. */
export const everything: Settings = {
  shareDetails: true,
  ussd: [
    { bank: 'First United Development Bank', template: '*901*{amount}*{account}#' },
    { bank: 'Sandbox Bank', template: '*737*1*{amount}*{account}#' },
  ],
};

const svg = (width: number, drawing: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="28">${drawing}</svg>`,
  )}`;
export const sign = svg(
  28,
  '<rect width="28" height="28" rx="6" fill="#b4532a"/><path d="M9 6h10v16l-5-4-5 4z" fill="#fff"/>',
);
export const wordmark = svg(
  120,
  '<rect width="120" height="28" rx="6" fill="#1f5c46"/><path d="M12 8v12m8-12-6 6 6 6M30 9h50m-50 5h70M30 19h40" stroke="#fff" stroke-width="3"/>',
);
export const longAccount = {
  number: '90123456789012345678',
  name: 'Chimamanda Adichie-Obiechina & Daughters Bookshop and Stationery (Nigeria) Limited',
  bankName: 'First United Development Microfinance Bank of Abeokuta PLC (S)',
};

export const policies: Settings = {
  text: {
    refundPolicy: 'Kola’s Bookshop sends your money back, or keeps it for you: write to us.',
    overpaidPolicy: 'Kola’s Bookshop sends back what is too much within two working days.',
    latePolicy: 'We keep your books for you for 24 hours after the time was up.',
  },
};

/** The same options, all `undefined`, as a merchant may leave them out. */
export function emptied(settings: Settings): Settings {
  return Object.fromEntries(Object.keys(settings).map((name) => [name, undefined]));
}
