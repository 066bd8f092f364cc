import { paymentStatuses } from '../../../../src/contract/index.ts';
import { paymentEndpoints } from '../../../core/endpoints.ts';
import type { CallbackKind } from '../../../core/signature.ts';
import { dedicatedAccountStatuses } from '../../../service/dedicated-account.ts';
import type { ServiceDialect } from '../../../service/dialect.ts';
import { invoiceAmounts, invoiceStatuses } from '../../../service/invoice.ts';
import { payoutAmounts, payoutStatuses } from '../../../service/payout.ts';

/** The kinds of record that callbacks report. */
export type NotifiedRecord = Exclude<CallbackKind, 'unknown'>;

/** For each kind: the statuses that it can change to, and its fields with amounts, which are in the dialect's unit. */
export const notifiedRecords = {
  payment: {
    statuses: paymentStatuses.filter((status) => status !== 'initiated'),
    amounts: paymentEndpoints['payments.verify'].amounts.response,
  },
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
  { callbackEvent }: Pick<ServiceDialect, 'callbackEvent'>,
): string => callbackEvent.replaceAll('{record}', record).replaceAll('{status}', status);
