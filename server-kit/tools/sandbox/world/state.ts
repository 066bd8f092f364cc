import type { CallbackRecord } from '../callbacks/callback.ts';
import type { DeliverySwitchRecord } from '../callbacks/delivery-switch.ts';
import type { ClockSetting } from '../clock/clock.ts';
import type { AccountRequest } from '../records/account-request.ts';
import type { SandboxApp } from '../records/app.ts';
import type { CheckoutLinkRecord } from '../records/checkout-link.ts';
import type { SandboxDedicatedAccount } from '../records/dedicated-account.ts';
import type { Fault } from '../records/fault.ts';
import type { SandboxInvoice } from '../records/invoice.ts';
import type { SandboxPayment } from '../records/payment.ts';
import type { SandboxPayout } from '../records/payout.ts';
import type { SandboxTaxRate } from '../records/tax-rate.ts';
import type { ControlTransfer } from '../records/transfer.ts';
import { type Collection, createCollection } from '../storage/collection.ts';
import type { Journal } from '../storage/journal.ts';

/** All records of a sandbox: one collection for each kind. */
export type SandboxState = {
  payments: Collection<SandboxPayment, 'reference' | 'accountNumber'>;
  checkoutLinks: Collection<CheckoutLinkRecord, 'reference'>;
  accountRequests: Collection<AccountRequest>;
  dedicatedAccounts: Collection<SandboxDedicatedAccount, 'accountRequestCode' | 'accountNumber'>;
  /** Transfers to dedicated accounts, including returned ones. */
  accountTransfers: Collection<ControlTransfer, 'accountNumber'>;
  payouts: Collection<SandboxPayout, 'reference'>;
  invoices: Collection<SandboxInvoice, 'reference'>;
  taxRates: Collection<SandboxTaxRate>;
  apps: Collection<SandboxApp>;
  clock: Collection<ClockSetting>;
  callbacks: Collection<CallbackRecord>;
  callbackDelivery: Collection<DeliverySwitchRecord>;
  faults: Collection<Fault>;
};

const byReference = { reference: ({ reference }: { reference: string }): string => reference };

export function createState(journal: Journal): SandboxState {
  return {
    payments: createCollection<SandboxPayment, 'reference' | 'accountNumber'>('payments', journal, {
      ...byReference,
      accountNumber: ({ account }) => account.number,
    }),
    checkoutLinks: createCollection<CheckoutLinkRecord, 'reference'>('checkout_links', journal, byReference),
    accountRequests: createCollection<AccountRequest>('account_requests', journal),
    dedicatedAccounts: createCollection<SandboxDedicatedAccount, 'accountRequestCode' | 'accountNumber'>(
      'dedicated_accounts',
      journal,
      {
        accountRequestCode: ({ accountRequestCode }) => accountRequestCode,
        accountNumber: ({ accountNumber }) => accountNumber,
      },
    ),
    accountTransfers: createCollection<ControlTransfer, 'accountNumber'>('account_transfers', journal, {
      accountNumber: ({ accountNumber }) => accountNumber,
    }),
    payouts: createCollection<SandboxPayout, 'reference'>('payouts', journal, byReference),
    invoices: createCollection<SandboxInvoice, 'reference'>('invoices', journal, byReference),
    taxRates: createCollection<SandboxTaxRate>('tax_rates', journal),
    apps: createCollection<SandboxApp>('apps', journal),
    clock: createCollection<ClockSetting>('clock', journal),
    callbacks: createCollection<CallbackRecord>('callbacks', journal),
    callbackDelivery: createCollection<DeliverySwitchRecord>('callback_delivery', journal),
    faults: createCollection<Fault>('faults', journal),
  };
}

/** Returns whether a payment or a dedicated account has this account number. */
export const isAccountNumberTaken = (
  { payments, dedicatedAccounts }: SandboxState,
  number: string,
): boolean =>
  payments.by('accountNumber', number) !== undefined ||
  dedicatedAccounts.by('accountNumber', number) !== undefined;
