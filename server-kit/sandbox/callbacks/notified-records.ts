import type * as v from 'valibot';
import { paymentStatuses } from '../../../src/contract/index.ts';
import {
  DedicatedAccount,
  DedicatedAccountRequestResult,
  dedicatedAccountStatuses,
} from '../../api/dedicated-account.ts';
import type { Dialect } from '../../api/dialect.ts';
import { Invoice, invoiceAmounts, invoiceStatuses } from '../../api/invoice.ts';
import { Payment, paymentAmounts } from '../../api/payment.ts';
import { Payout, payoutAmounts, payoutStatuses } from '../../api/payout.ts';
import type { CallbackKind } from '../../signing/callbacks.ts';

/** What a callback of the sandbox speaks of. */
export type NotifiedRecord = Exclude<CallbackKind, 'unknown'>;

type NotifiedKind = {
  /** Those that a callback can tell of: a record does not enter the one that it begins with. */
  statuses: readonly string[];
  /** What `data` is: one of these. */
  schemas: readonly v.GenericSchema[];
  /** The fields that hold amounts, for the dialect's unit. */
  amounts: readonly string[];
};

/** Of each kind of record, what its callbacks tell. */
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
    // Where the consent was refused there is no account, and the request is shown instead.
    schemas: [DedicatedAccount, DedicatedAccountRequestResult],
    amounts: [],
  },
} as const satisfies Record<NotifiedRecord, NotifiedKind>;

/** The statuses of which the callbacks of a kind tell. */
export type NotifiedStatus<Kind extends NotifiedRecord> = (typeof notifiedRecords)[Kind]['statuses'][number];

/** The name of an event in the dialect: by default `payment.succeeded`. */
export const eventName = (
  record: NotifiedRecord,
  status: string,
  { callbackEvent }: Pick<Dialect, 'callbackEvent'>,
): string => callbackEvent.replaceAll('{record}', record).replaceAll('{status}', status);
