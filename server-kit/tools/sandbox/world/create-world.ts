import type { CheckoutLink } from '../../../core/endpoints.ts';
import type { CallbackRecord, DeliverySwitchRecord } from '../callbacks/attempts.ts';
import { type Callbacks, createCallbacks } from '../callbacks/delivery.ts';
import { createRequestLog } from '../http/request-log.ts';
import type { SandboxApp, SandboxTaxRate } from '../records/apps-and-tax-rates.ts';
import type { AccountRequest, SandboxDedicatedAccount } from '../records/dedicated-account.ts';
import type { Fault } from '../records/fault.ts';
import type { SandboxInvoice } from '../records/invoice.ts';
import {
  type ControlTransfer,
  effectiveMs,
  nextTimedChange,
  paymentAt,
  paymentHistory,
  type SandboxPayment,
} from '../records/payment.ts';
import { toPaymentIn } from '../records/payment-views.ts';
import type { SandboxPayout } from '../records/payout.ts';
import type { SandboxSettings } from '../settings/options.ts';
import { type ClockSetting, createClock, type SandboxClock } from '../state/clock.ts';
import { createCollection } from '../state/collection.ts';
import { createMint, firstFreeSerial } from '../state/mint.ts';
import { createWriter, type Writer } from '../state/storage.ts';

/** All parts of a sandbox. Operations and control calls receive it. */
export type SandboxWorld = ReturnType<typeof createWorld>;

export function createWorld(settings: SandboxSettings) {
  const writer = createWriter(settings.storage);
  const state = createState(writer);
  const mint = createMint(
    settings.random,
    settings.bank.code,
    firstFreeSerial(settings.storage?.entries ?? []),
    (number) => isAccountNumberTaken(state, number),
  );
  const clock = createClock(settings.now, state.clock);
  const requestLog = createRequestLog(clock.now, settings.now, settings.onRequest);
  const callbacks = createCallbacks({ settings, clock, state, mint, writer });
  const payments = createPaymentWriter(clock, state, callbacks);
  return { settings, clock, state, mint, writer, requestLog, callbacks, payments };
}

/** Creates the records of a sandbox: one collection for each kind. */
const createState = (writer: Writer) => ({
  payments: createCollection<SandboxPayment>('payments', writer),
  checkoutLinks: createCollection<CheckoutLinkRecord>('checkout_links', writer),
  accountRequests: createCollection<AccountRequest>('account_requests', writer),
  dedicatedAccounts: createCollection<SandboxDedicatedAccount>('dedicated_accounts', writer),
  /** Transfers to dedicated accounts, including returned ones. */
  accountTransfers: createCollection<ControlTransfer>('account_transfers', writer),
  payouts: createCollection<SandboxPayout>('payouts', writer),
  invoices: createCollection<SandboxInvoice>('invoices', writer),
  taxRates: createCollection<SandboxTaxRate>('tax_rates', writer),
  apps: createCollection<SandboxApp>('apps', writer),
  clock: createCollection<ClockSetting>('clock', writer),
  callbacks: createCollection<CallbackRecord>('callbacks', writer),
  callbackDelivery: createCollection<DeliverySwitchRecord>('callback_delivery', writer),
  faults: createCollection<Fault>('faults', writer),
});
type SandboxState = ReturnType<typeof createState>;

export const isAccountNumberTaken = (
  { payments, dedicatedAccounts }: SandboxState,
  number: string,
): boolean =>
  payments.find(({ account }) => account.number === number) !== undefined ||
  dedicatedAccounts.find(({ accountNumber }) => accountNumber === number) !== undefined;

/** A hosted checkout. Its payment is created when somebody opens it. */
export type CheckoutLinkRecord = {
  id: string;
  reference: string;
  link: CheckoutLink;
  /** Missing in records of older releases. */
  customer?: SandboxPayment['customer'];
  createdAtMs: number;
};

/** The path of a link's page below the sandbox's address. The id is the secret: anyone with the URL sees the payment. */
export const pagePath = (id: string): string => `/_sandbox/pay/${id}`;

/** Writes payments and sends one callback for each change. No other code writes payments. */
function createPaymentWriter(clock: SandboxClock, state: SandboxState, callbacks: Callbacks) {
  /** When time will change each payment that can still change, by its id. */
  const waiting = new Map<string, number>();
  let earliestMs = Number.POSITIVE_INFINITY;

  function watch(payment: SandboxPayment): void {
    const next = nextTimedChange(payment, paymentAt(payment, payment.told.untilMs));
    if (next === undefined) return void waiting.delete(payment.id);
    waiting.set(payment.id, next.atMs);
    earliestMs = Math.min(earliestMs, next.atMs);
  }

  function put(payment: SandboxPayment): SandboxPayment {
    const { changes } = paymentHistory(payment, effectiveMs(payment, clock.now()));
    const untilMs = changes.at(-1)?.updatedAtMs ?? payment.createdAtMs;
    const kept = state.payments.put({ ...payment, told: { changes: changes.length, untilMs } });
    for (const change of changes.slice(payment.told.changes)) {
      const { id, callbackUrl } = payment;
      const { status } = change;
      callbacks.notify({ record: 'payment', id, status, callbackUrl, data: toPaymentIn(change, payment) });
    }
    watch(kept);
    return kept;
  }

  for (const payment of state.payments.list()) watch(payment);

  return {
    /** Stores the payment and sends callbacks for its changes up to now. */
    put,
    /** Does the same for each payment that time alone has changed. */
    passTime(): void {
      const nowMs = clock.now();
      if (nowMs < earliestMs) return;
      earliestMs = Number.POSITIVE_INFINITY;
      for (const [id, dueMs] of waiting) {
        const payment = dueMs <= nowMs ? state.payments.get(id) : undefined;
        if (payment !== undefined) put(payment);
        else earliestMs = Math.min(earliestMs, dueMs);
      }
    },
    /** When time will next change a payment, in milliseconds since the epoch; infinite for never. */
    nextDueMs: (): number => earliestMs,
  };
}
