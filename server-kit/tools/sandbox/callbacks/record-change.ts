import { paymentStatuses } from '../../../../src/contract/index.ts';
import { paymentEndpoints } from '../../../core/endpoints.ts';
import { dedicatedAccountStatuses } from '../../../service/dedicated-account.ts';
import { invoiceAmounts, invoiceStatuses } from '../../../service/invoice.ts';
import { payoutAmounts, payoutStatuses } from '../../../service/payout.ts';
import type { SandboxSettings } from '../settings/options.ts';
import type { SandboxClock } from '../state/clock.ts';
import type { Mint } from '../state/mint.ts';
import type { CallbackRecord, DeliverySwitch, NotifiedRecord } from './attempts.ts';

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

export type NotifiedStatus<Kind extends NotifiedRecord> = (typeof notifiedRecords)[Kind]['statuses'][number];

export type RecordChange = {
  record: NotifiedRecord;
  id: string;
  /** The new status: the second half of the event's name. */
  status: string;
  /** `null` for no callback. */
  callbackUrl: string | null;
  /** The record as its endpoint returns it, with amounts in minor units. */
  data: object;
};

/** Creates the callback for a change. Whether it is dropped, doubled or delayed is decided here. */
export function createCallbackRecord(
  { record, id: recordId, status, data, url }: RecordChange & { url: string },
  { drop, double, delaySeconds }: DeliverySwitch,
  { settings, clock, mint }: { settings: SandboxSettings; clock: SandboxClock; mint: Mint },
): CallbackRecord {
  const { dialect, random } = settings;
  const happens = (probability: number): boolean =>
    probability === 1 || (probability > 0 && random() < probability);
  // Callbacks cross networks that must not see the token.
  const { accessToken: _secret, ...shown } = data as Record<string, unknown>;
  const isDropped = happens(drop);
  const createdAtMs = clock.now();
  const event = dialect.callbackEvent.replaceAll('{record}', record).replaceAll('{status}', status);
  const wireData = dialect.toWire(shown, notifiedRecords[record].amounts);
  return {
    id: mint.id('cbk'),
    event,
    record,
    recordId,
    reference: typeof shown.reference === 'string' ? shown.reference : null,
    url,
    // Written now, so that it does not show later changes.
    body: JSON.stringify({ event, data: wireData }),
    createdAtMs,
    isDropped,
    isDoubled: !isDropped && happens(double),
    planned: isDropped ? [] : [{ atMs: createdAtMs + delaySeconds * 1000, reason: 'first' }],
    attempts: [],
  };
}
