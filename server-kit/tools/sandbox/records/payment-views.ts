import type { Payment, PaymentInitiation } from '../../../core/endpoints.ts';
import { toIso } from '../state/clock.ts';
import {
  type ControlTransfer,
  effectiveMs,
  type PaymentState,
  paymentAt,
  paymentTransitions,
  type SandboxPayment,
  type Transfer,
} from './payment.ts';

/** Returns the response to initiating the payment (2.3). */
export function toInitiation(record: SandboxPayment): PaymentInitiation {
  const { id, reference, account, customer, metadata } = record;
  return {
    id,
    reference,
    accountName: account.name,
    accountNumber: account.number,
    bankName: account.bankName,
    amount: { value: record.expectedAmount, currency: record.currency },
    customer: customer && {
      ...customer,
      phoneNumber: '',
      address: '',
      reference: customer.id,
      isBlacklisted: false,
      liveMode: false,
    },
    liveMode: false,
    expiresAt: toIso(record.expiresAtMs),
    metadata,
  };
}

export const toPayment = (record: SandboxPayment, nowMs: number): Payment =>
  toPaymentIn(paymentAt(record, effectiveMs(record, nowMs)), record);

export function toPaymentIn(state: PaymentState, record: SandboxPayment): Payment {
  const { id, reference, currency, accessToken, customer, expectedAmount, callbackUrl, metadata } = record;
  const { paymentMethod, paymentChannel } = record;
  return {
    id,
    reference,
    currency,
    status: state.status,
    accessToken,
    acceptedAmountPolicy: state.acceptedAmountPolicy,
    paymentMethod,
    paymentChannel,
    customerId: customer?.id ?? null,
    expectedAmount,
    chargedAmount: state.chargedAmount,
    fee: 0,
    vat: 0,
    emtl: 0,
    callbackUrl,
    returnUrl: record.returnUrl ?? null,
    receiptEmail: customer?.email ?? null,
    metadata,
    liveMode: false,
    createdAt: toIso(record.createdAtMs),
    updatedAt: toIso(state.updatedAtMs),
  };
}

/** A payment in a control call. Amounts are in minor units in every dialect. */
export type ControlPayment = ReturnType<typeof toControlPayment>;

/** Returns the payment at `nowMs` for a control call: everything except the access token. */
export function toControlPayment(record: SandboxPayment, nowMs: number) {
  const { id, reference, account, customer, callbackUrl, metadata } = record;
  const state = paymentAt(record, effectiveMs(record, nowMs));
  return {
    id,
    reference,
    status: state.status,
    /** The statuses that `updatePayment` allows now. */
    nextStatuses: paymentTransitions[state.status],
    acceptedAmountPolicy: state.acceptedAmountPolicy,
    amount: { value: record.expectedAmount, currency: record.currency },
    chargedAmount: state.chargedAmount,
    accountNumber: account.number,
    accountName: account.name,
    bankName: account.bankName,
    customer,
    callbackUrl,
    metadata,
    liveMode: false,
    expiresAt: toIso(record.expiresAtMs),
    createdAt: toIso(record.createdAtMs),
    updatedAt: toIso(state.updatedAtMs),
    /** Oldest first, including returned ones. */
    transfers: record.facts.flatMap((fact) =>
      fact.kind === 'transfer' ? [toControlTransfer(record, fact.transfer, fact.atMs)] : [],
    ),
  };
}

export function toControlTransfer(record: SandboxPayment, transfer: Transfer, atMs: number): ControlTransfer {
  const { currency, account } = record;
  return { ...transfer, currency, accountNumber: account.number, createdAt: toIso(atMs) };
}
