import * as v from 'valibot';
import type { CallOptions } from '../core/call.ts';
import type { PaymentsClient } from '../core/client.ts';
import { currencies, Metadata, NonEmptyText, oneOf, Timestamp, WireAmount } from '../core/fields.ts';
import {
  amountsIn,
  type DocumentedEndpoint,
  lenientFields,
  lenientObject,
  recordFields,
  WireFee,
} from './fields.ts';
import { type List, type ListEndpoint, listFields, listRecords, oneOrMoreOf } from './list.ts';

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

/** The fields of a payout with amounts; `?` marks fees. */
export const payoutAmounts = amountsIn(payoutFields);

/** Interface, section 2.7: money that leaves the merchant's balance. */
export const Payout = v.looseObject({
  id: NonEmptyText,
  ...lenientFields(payoutFields),
});
export type Payout = v.InferOutput<typeof Payout>;

/** Interface, section 4.9: the filters of the list. */
export const PayoutListQuery = v.strictObject({ ...listFields, status: oneOrMoreOf(payoutStatuses) });
export type PayoutListQuery = v.InferInput<typeof PayoutListQuery>;

const payout = {
  method: 'GET',
  auth: 'signature',
  response: Payout,
  amounts: { response: payoutAmounts },
} as const;

export const payoutEndpoints = {
  'payouts.list': {
    operation: 'payouts.list',
    section: '4.9',
    summary: 'Lists payouts, newest first',
    path: '/v1/payouts',
    query: PayoutListQuery,
    ...payout,
  },
  'payouts.retrieve': {
    operation: 'payouts.retrieve',
    section: '4.10',
    summary: 'Retrieves a payout',
    path: '/v1/payouts/{id}',
    ...payout,
  },
} as const satisfies Record<string, DocumentedEndpoint | ListEndpoint>;

/** 4.9: lists payouts, newest first. Bounds of `createdAt` are UNIX seconds. */
export const listPayouts = (
  client: PaymentsClient,
  query?: PayoutListQuery,
  of?: CallOptions,
): List<Payout> => listRecords(client, payoutEndpoints['payouts.list'], query, of);

/** 4.10: retrieves a payout by its id. */
export const retrievePayout = (client: PaymentsClient, id: string, of?: CallOptions): Promise<Payout> =>
  client.call(payoutEndpoints['payouts.retrieve'], { path: { id } }, of);
