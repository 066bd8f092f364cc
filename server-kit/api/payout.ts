import * as v from 'valibot';
import { withFees } from './fees.ts';
import {
  currencies,
  exactObject,
  Metadata,
  NonEmptyText,
  oneOf,
  part,
  recordFields,
  Timestamp,
  tolerant,
  WireAmount,
  WireFee,
} from './fields.ts';
import { listFields, listOf, someOf } from './list.ts';

export const payoutStatuses = ['pending', 'succeeded', 'failed', 'reversed', 'sent', 'cancelled'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const confirmationStates = ['pending', 'confirmed', 'rejected'] as const;
export type ConfirmationState = (typeof confirmationStates)[number];

/** 2.7, every field but the id. */
export const payoutFields = {
  reference: v.string(),
  amount: WireAmount,
  currency: oneOf(currencies),
  status: oneOf(payoutStatuses),
  destinationAccountNumber: v.string(),
  destinationBankId: v.string(),
  stampDuty: WireFee,
  fee: WireFee,
  vat: WireFee,
  networkSessionId: v.string(),
  requiresConfirmation: v.boolean(),
  confirmationState: oneOf(confirmationStates),
  callbackUrl: v.string(),
  receiptEmail: v.string(),
  narration: v.string(),
  metadata: Metadata,
  failureCode: v.string(),
  failureMessage: v.string(),
  initiation: part({
    actor: v.string(),
    ip: v.string(),
    user: part({ email: v.string() }),
    apiKey: part({ description: v.string() }),
  }),
  approval: part({ approvedBy: v.string(), approvedAt: Timestamp }),
  cancellation: part({ cancelledBy: v.string(), cancelledAt: Timestamp }),
  ...recordFields,
};

/** The fields of a payout that hold what is charged for it. */
export const payoutFees = ['stampDuty', 'fee', 'vat'] as const;

/** The fields of a payout that hold amounts; `?` marks its fees. */
export const payoutAmounts = ['amount', 'stampDuty?', 'fee?', 'vat?'] as const;

/** 2.7, money that leaves the merchant's balance. */
export const Payout = withFees(v.looseObject({ id: NonEmptyText, ...tolerant(payoutFields) }), payoutFees);
export type Payout = v.InferOutput<typeof Payout>;

/** 4.9, the filters of the list. */
export const PayoutListQuery = exactObject({ ...listFields, status: someOf(payoutStatuses) });
export type PayoutListQuery = v.InferInput<typeof PayoutListQuery>;

/** 2.11 of 2.7. */
export const PayoutPage = listOf(Payout);
