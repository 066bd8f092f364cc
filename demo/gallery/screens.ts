import type {
  Connection,
  DedicatedAccountView,
  PaymentState,
  PaymentView,
  Settings,
  State,
} from '../../src/model/index.ts';

/** One thing to look at: the checkout in one state, with all that the state depends on; or an account that stays. Plain data. */
export type GalleryScreen = StateScreen | AccountScreen;
export type StateScreen = ScreenBase & {
  readonly state: State;
  /** What was on the screen before, where that makes a difference. */
  readonly before?: State;
  /** For how long it has been there, where that does. */
  readonly stoodMs?: number;
};
export type AccountScreen = ScreenBase & { readonly view: DedicatedAccountView };

type ScreenBase = {
  /** As in the address: `/gallery?state=partlyPaid`. */
  readonly name: string;
  readonly settings?: Settings;
  /** What is pressed once the screen stands, one after the other, as CSS selectors inside the checkout. */
  readonly press?: readonly string[];
  /** What is there only once all that was pressed has come. */
  readonly until?: string;
  /** What a copy meets: a clipboard that works, unless it is said to refuse. */
  readonly clipboard?: 'refuses';
};

/** The moment of every screen, on the service's clock. The monotonic clock stands at 0. */
const now = Date.parse('2026-11-21T14:00:19Z');

const waiting: PaymentView = {
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

function shown(
  name: ShownName,
  changes: Partial<PaymentView> = {},
  connection: Connection = 'ok',
): State & PaymentState {
  return { ...marks, name, connection, payment: { ...waiting, ...changes } };
}

function checking(reason: 'sent' | 'unclear', changes: Partial<PaymentView> = {}): State {
  const payment = { ...waiting, ...changes };
  return { ...marks, checkedAtMs: -5000, name: 'checking', reason, connection: 'ok', payment };
}

const expired = (changes: Partial<PaymentView> = {}): State & PaymentState =>
  shown('expired', { outcome: 'expired', status: 'expired', ...changes });

const paid = { outcome: 'paid', status: 'succeeded', chargedAmount: 1_250_000, paidAt } as const;
const inTest = { liveMode: false };
const shop: Settings = {
  merchantName: 'Kola’s Bookshop',
  returnUrl: 'https://shop.example/orders/1001',
  supportEmail: 'help@shop.example',
};
/** All that a merchant may offer beside the account. */
const everything: Settings = {
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
const sign = svg(
  28,
  '<rect width="28" height="28" rx="6" fill="#b4532a"/><path d="M9 6h10v16l-5-4-5 4z" fill="#fff"/>',
);
const wordmark = svg(
  120,
  '<rect width="120" height="28" rx="6" fill="#1f5c46"/><path d="M12 8v12m8-12-6 6 6 6M30 9h50m-50 5h70M30 19h40" stroke="#fff" stroke-width="3"/>',
);
const longAccount = {
  number: '90123456789012345678',
  name: 'Chimamanda Adichie-Obiechina & Daughters Bookshop and Stationery (Nigeria) Limited',
  bankName: 'First United Development Microfinance Bank of Abeokuta PLC (S)',
};

const awaiting: readonly GalleryScreen[] = [
  { name: 'awaitingTransfer', state: shown('awaitingTransfer') },
  { name: 'awaitingTransfer-test', state: shown('awaitingTransfer', inTest) },
  { name: 'awaitingTransfer-copied', state: shown('awaitingTransfer'), press: ['.accountNumber button'] },
  { name: 'awaitingTransfer-amountCopied', state: shown('awaitingTransfer'), press: ['.amount button'] },
  {
    name: 'awaitingTransfer-pressToCopy',
    state: shown('awaitingTransfer'),
    press: ['.accountNumber button'],
    clipboard: 'refuses',
  },
  {
    name: 'awaitingTransfer-lastMinute',
    state: { ...shown('awaitingTransfer'), serviceOffsetMs: Date.parse('2026-11-21T14:29:18Z') },
  },
  {
    name: 'awaitingTransfer-timeIsUp',
    state: { ...shown('awaitingTransfer'), serviceOffsetMs: Date.parse(waiting.expiresAt) },
  },
  {
    name: 'awaitingTransfer-timeIsUpOffline',
    state: {
      ...shown('awaitingTransfer'),
      serviceOffsetMs: Date.parse(waiting.expiresAt),
      isOffline: true,
      checkedAtMs: -40_000,
    },
  },
  {
    name: 'awaitingTransfer-days',
    state: shown('awaitingTransfer', { expiresAt: '2026-11-24T14:00:00Z' }),
  },
  {
    name: 'awaitingTransfer-clockUnknown',
    state: { ...shown('awaitingTransfer'), serviceOffsetMs: undefined },
  },
  {
    name: 'awaitingTransfer-offline',
    state: { ...shown('awaitingTransfer'), isOffline: true, checkedAtMs: -40_000 },
  },
  { name: 'awaitingTransfer-retrying', state: shown('awaitingTransfer', {}, 'retrying') },
  { name: 'awaitingTransfer-lost', state: shown('awaitingTransfer', {}, 'lost') },
  { name: 'awaitingTransfer-qr', state: shown('awaitingTransfer'), press: ['[data-action="qr"]'] },
  { name: 'awaitingTransfer-leaving', state: shown('awaitingTransfer'), press: ['[data-action="back"]'] },
  {
    name: 'awaitingTransfer-long',
    state: shown('awaitingTransfer', {
      ...inTest,
      account: longAccount,
      amount: { value: 123_456_789_000, currency: 'NGN' },
      reference: 'a-reference-that-is-longer-than-a-phone-is-wide-0123456789-0123456789',
    }),
    settings: { merchantName: 'Chimamanda Adichie-Obiechina & Daughters Bookshop and Stationery' },
  },
  {
    name: 'awaitingTransfer-tiny',
    state: shown('awaitingTransfer', { amount: { value: 1, currency: 'NGN' } }),
  },
  {
    name: 'awaitingTransfer-noDecimals',
    state: shown('awaitingTransfer', { amount: { value: 12_500, currency: 'JPY' } }),
  },
  {
    name: 'awaitingTransfer-noAccountName',
    state: shown('awaitingTransfer', { account: { ...waiting.account, name: '' } }),
  },
  {
    name: 'awaitingTransfer-earlierMoney',
    state: shown('awaitingTransfer', { reference: 'order-1001-2', orderChargedAmount: 500_000 }),
  },
  { name: 'awaitingTransfer-everything', state: shown('awaitingTransfer'), settings: everything },
  {
    name: 'awaitingTransfer-ussd',
    state: shown('awaitingTransfer'),
    settings: everything,
    press: ['.ussd summary'],
    until: '.ussd a',
  },
  {
    name: 'awaitingTransfer-logo',
    state: shown('awaitingTransfer', inTest),
    settings: { logo: { src: sign, alt: '' } },
  },
  {
    name: 'awaitingTransfer-wordmark',
    state: shown('awaitingTransfer'),
    settings: { logo: { src: wordmark, alt: 'Kola’s Bookshop' } },
  },
  { name: 'awaitingTransfer-bare', state: shown('awaitingTransfer'), settings: emptied(shop) },
];

const onTheWay: readonly GalleryScreen[] = [
  { name: 'loading', state: { name: 'loading', failures: 0 } },
  { name: 'loading-stored', state: { name: 'loading', failures: 0, isStored: true } },
  { name: 'loading-stillTrying', state: { name: 'loading', failures: 1 } },
  { name: 'loading-offline', state: { name: 'loading', failures: 1, isOffline: true } },
  { name: 'checking', state: checking('sent') },
  { name: 'checking-late', state: checking('sent', { outcome: 'expired', status: 'expired' }) },
  { name: 'checking-offline', state: { ...checking('sent'), isOffline: true, checkedAtMs: -40_000 } },
  { name: 'checking-leaving', state: checking('sent'), press: ['[data-action="back"]'] },
  { name: 'checking-part', state: checking('sent', { chargedAmount: 1_200_000 }) },
  { name: 'checking-long', state: checking('sent'), stoodMs: 300_000 },
  { name: 'checking-unclear', state: checking('unclear', { outcome: 'unclear' }) },
  { name: 'partlyPaid', state: shown('partlyPaid', { chargedAmount: 500_000 }) },
  {
    name: 'partlyPaid-long',
    state: shown('partlyPaid', {
      account: longAccount,
      amount: { value: 123_456_789_000, currency: 'NGN' },
      chargedAmount: 123_456_788_999,
    }),
  },
  { name: 'partlyPaid-lost', state: shown('partlyPaid', { chargedAmount: 500_000 }, 'lost') },
  { name: 'confirming', state: shown('confirming', { status: 'charged', chargedAmount: 1_250_000 }) },
  {
    name: 'confirming-retrying',
    state: shown('confirming', { status: 'charged', chargedAmount: 1_250_000 }, 'retrying'),
  },
];

const policies: Settings = {
  text: {
    refundPolicy: 'Kola’s Bookshop sends your money back, or keeps it for you: write to us.',
    overpaidPolicy: 'Kola’s Bookshop sends back what is too much within two working days.',
    latePolicy: 'We keep your books for you for 24 hours after the time was up.',
  },
};

const ended: readonly GalleryScreen[] = [
  { name: 'succeeded', state: shown('succeeded', paid) },
  { name: 'succeeded-test', state: shown('succeeded', { ...paid, ...inTest }) },
  { name: 'succeeded-overpaid', state: shown('succeeded', { ...paid, chargedAmount: 1_300_000 }) },
  {
    name: 'succeeded-policy',
    state: shown('succeeded', { ...paid, chargedAmount: 1_300_000 }),
    settings: policies,
  },
  { name: 'succeeded-paidTwice', state: shown('succeeded', { ...paid, orderChargedAmount: 2_500_000 }) },
  { name: 'succeeded-returning', state: shown('succeeded', paid), settings: { returnAfterSeconds: 5 } },
  { name: 'succeeded-bare', state: shown('succeeded', paid), settings: emptied(shop) },
  { name: 'expired', state: expired() },
  { name: 'expired-part', state: { ...expired({ chargedAmount: 1_200_000 }), checkedAtMs: -5000 } },
  {
    name: 'expired-part-policy',
    state: { ...expired({ chargedAmount: 1_200_000 }), checkedAtMs: -5000 },
    settings: policies,
  },
  {
    name: 'expired-kept',
    before: { name: 'loading', failures: 0, previous: waiting },
    state: expired(),
  },
  { name: 'expired-earlierMoney', state: expired({ orderChargedAmount: 500_000 }) },
  { name: 'expired-replaced', state: shown('expired', { outcome: 'replaced' }) },
  {
    name: 'expired-lost',
    state: shown('expired', { outcome: 'expired', status: 'expired' }, 'lost'),
  },
  { name: 'receivedLate', state: shown('receivedLate', { ...paid, receivedLate: true }) },
  {
    name: 'receivedLate-paidTwice',
    state: shown('receivedLate', {
      ...paid,
      receivedLate: true,
      reference: 'order-1001-2',
      paymentReference: 'order-1001-1',
      orderChargedAmount: 2_500_000,
    }),
  },
  {
    name: 'receivedLate-policy',
    state: shown('receivedLate', { ...paid, receivedLate: true, chargedAmount: 1_300_000 }),
    settings: policies,
  },
  { name: 'failed', state: shown('failed', { outcome: 'failed', status: 'failed' }) },
  {
    name: 'failed-amountMismatch',
    state: shown('failed', { outcome: 'amountMismatch', status: 'succeeded', chargedAmount: 1_000_000 }),
  },
  { name: 'reversed', state: shown('reversed', { ...paid, outcome: 'reversed', status: 'reversed' }) },
  { name: 'unavailable', state: { name: 'unavailable', code: 'forbidden' } },
  {
    name: 'unavailable-network',
    state: { name: 'unavailable', code: 'network_error', previous: waiting, isOffline: true },
  },
];

const kept: DedicatedAccountView = { account: waiting.account, currency: 'NGN', liveMode: true };

const dedicated: readonly GalleryScreen[] = [
  { name: 'dedicatedAccount', view: kept },
  { name: 'dedicatedAccount-test', view: { ...kept, ...inTest } },
  { name: 'dedicatedAccount-copied', view: kept, press: ['.accountNumber button'] },
  {
    name: 'dedicatedAccount-pressToCopy',
    view: kept,
    press: ['.accountNumber button'],
    clipboard: 'refuses',
  },
  { name: 'dedicatedAccount-long', view: { ...kept, ...inTest, account: longAccount } },
  {
    name: 'dedicatedAccount-wordmark',
    view: kept,
    settings: { logo: { src: wordmark, alt: 'Kola’s Bookshop' } },
  },
  { name: 'dedicatedAccount-bare', view: kept, settings: emptied(shop) },
];

/** Every screen there is: what the gallery shows, and what the tests look at. */
export const screens: readonly GalleryScreen[] = [...awaiting, ...onTheWay, ...ended, ...dedicated].map(
  (screen) => ({ ...screen, settings: { ...shop, ...screen.settings } }),
);

/** The same names without values: what a merchant has left out. */
function emptied(settings: Settings): Settings {
  return Object.fromEntries(Object.keys(settings).map((name) => [name, undefined]));
}
