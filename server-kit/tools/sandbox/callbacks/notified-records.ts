import type * as v from 'valibot';
import { paymentStatuses } from '../../../../src/contract/index.ts';
import {
  DedicatedAccount,
  DedicatedAccountRequestResult,
  dedicatedAccountStatuses,
} from '../../../client/api/dedicated-account.ts';
import type { Dialect } from '../../../client/api/dialect.ts';
import { Invoice, invoiceAmounts, invoiceStatuses } from '../../../client/api/invoice.ts';
import { Payment, paymentAmounts } from '../../../client/api/payment.ts';
import { Payout, payoutAmounts, payoutStatuses } from '../../../client/api/payout.ts';
import type { CallbackKind } from '../../../client/signing/callbacks.ts';

/** The kinds of record that callbacks report. */
export type NotifiedRecord = Exclude<CallbackKind, 'unknown'>;

type NotifiedKind = {
  /** The statuses that callbacks report: all that a record can change to. */
  statuses: readonly string[];
  /** The possible schemas of `data`. */
  schemas: readonly v.GenericSchema[];
  /** The fields with amounts, which are in the dialect's unit. */
  amounts: readonly string[];
};

/** The content of the callbacks for each kind of record. */
export const notifiedRecords = {
  payment: {
    statuses: paymentStatuses.filter((status) => status !== 'initiated'),
    schemas: [Payment],
    amounts: paymentAmounts,
  },
  payout: { statuses: payoutStatuses, schemas: [Payout], amounts: payoutAmounts },
  invoice: {
    statuses: invoiceStatuses.filter((status) => status !== 'draft'),
    schemas: [Invoice],
    amounts: invoiceAmounts,
  },
  dedicated_account: {
    statuses: [...dedicatedAccountStatuses, 'refused'],
    // A refused request has no account, so that its callback has the request.
    schemas: [DedicatedAccount, DedicatedAccountRequestResult],
    amounts: [],
  },
} as const satisfies Record<NotifiedRecord, NotifiedKind>;

/** The statuses that callbacks of a kind report. */
export type NotifiedStatus<Kind extends NotifiedRecord> = (typeof notifiedRecords)[Kind]['statuses'][number];

/** Returns the name of an event in the dialect, by default such as `payment.succeeded`. */
export const eventName = (
  record: NotifiedRecord,
  status: string,
  { callbackEvent }: Pick<Dialect, 'callbackEvent'>,
): string => callbackEvent.replaceAll('{record}', record).replaceAll('{status}', status);
