import { paymentStatuses } from '../../../../src/contract/index.ts';
import { dedicatedAccountStatuses } from '../../../client/api/dedicated-account.ts';
import type { Dialect } from '../../../client/api/dialect.ts';
import { invoiceAmounts, invoiceStatuses } from '../../../client/api/invoice.ts';
import { paymentAmounts } from '../../../client/api/payment.ts';
import { payoutAmounts, payoutStatuses } from '../../../client/api/payout.ts';
import type { CallbackKind } from '../../../client/signing/callbacks.ts';

/** The kinds of record that callbacks report. */
export type NotifiedRecord = Exclude<CallbackKind, 'unknown'>;

/** For each kind: the statuses that it can change to, and its fields with amounts, which are in the dialect's unit. */
export const notifiedRecords = {
  payment: { statuses: paymentStatuses.filter((status) => status !== 'initiated'), amounts: paymentAmounts },
  payout: { statuses: payoutStatuses, amounts: payoutAmounts },
  invoice: { statuses: invoiceStatuses.filter((status) => status !== 'draft'), amounts: invoiceAmounts },
  // A refused request has no account, so that its callback has the request.
  dedicated_account: { statuses: [...dedicatedAccountStatuses, 'refused'], amounts: [] },
} as const satisfies Record<NotifiedRecord, { statuses: readonly string[]; amounts: readonly string[] }>;

/** The statuses that callbacks of a kind report. */
export type NotifiedStatus<Kind extends NotifiedRecord> = (typeof notifiedRecords)[Kind]['statuses'][number];

/** Returns the name of an event in the dialect, by default such as `payment.succeeded`. */
export const eventName = (
  record: NotifiedRecord,
  status: string,
  { callbackEvent }: Pick<Dialect, 'callbackEvent'>,
): string => callbackEvent.replaceAll('{record}', record).replaceAll('{status}', status);
