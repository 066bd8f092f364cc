import * as v from 'valibot';
import { withFees } from './fees.ts';
import {
  amountsIn,
  currencies,
  exactObject,
  lenientFields,
  lenientObject,
  Metadata,
  NonEmptyText,
  oneOf,
  recordFields,
  Timestamp,
  WireAmount,
  WireFee,
} from './fields.ts';
import { listFields, oneOrMoreOf, pageOf } from './list.ts';

export const payoutStatuses = ['pending', 'succeeded', 'failed', 'reversed', 'sent', 'cancelled'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const confirmationStates = ['pending', 'confirmed', 'rejected'] as const;
export type ConfirmationState = (typeof confirmationStates)[number];

/** Interface, section 2.7: every field but the id. */
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
  initiation: lenientObject({
    actor: v.string(),
    ip: v.string(),
    user: lenientObject({ email: v.string() }),
    apiKey: lenientObject({ description: v.string() }),
  }),
  approval: lenientObject({ approvedBy: v.string(), approvedAt: Timestamp }),
  cancellation: lenientObject({ cancelledBy: v.string(), cancelledAt: Timestamp }),
  ...recordFields,
};

/** The fields of a payout with its costs. */
const payoutFees = ['stampDuty', 'fee', 'vat'] as const;

/** The fields of a payout with amounts; `?` marks fees. */
export const payoutAmounts = amountsIn(payoutFields);

/** Interface, section 2.7: money that leaves the merchant's balance. */
export const Payout = withFees(
  v.looseObject({ id: NonEmptyText, ...lenientFields(payoutFields) }),
  payoutFees,
);
export type Payout = v.InferOutput<typeof Payout>;

/** Interface, section 4.9: the filters of the list. */
export const PayoutListQuery = exactObject({ ...listFields, status: oneOrMoreOf(payoutStatuses) });
export type PayoutListQuery = v.InferInput<typeof PayoutListQuery>;

/** Interface, section 2.11: a page of payouts. */
export const PayoutPage = pageOf(Payout);
