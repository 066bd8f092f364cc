import { convertAmounts, toWireAmount } from '../../../client/api/amount-unit.ts';
import type { Dialect } from '../../../client/api/dialect.ts';
import type { CallbackRecord } from './callback.ts';
import { readSwitch } from './delivery-switch.ts';
import { eventName, type NotifiedRecord, notifiedRecords } from './notified-records.ts';
import type { CallbackParts } from './parts.ts';

/** A change of a record to report to the merchant. */
export type RecordChange = {
  record: NotifiedRecord;
  id: string;
  /** The new status: the second half of the event's name. */
  status: string;
  /** `null` for no callback. */
  callbackUrl: string | null;
  /**
   * The record as its endpoint returns it, with amounts in minor units. It is serialized now, so that it does not show
   * later changes. The `accessToken` is left out, because callbacks cross networks that must not see it.
   */
  data: object;
};

/** Creates the callback for a change. Whether it is dropped, doubled or delayed is decided here. */
export function createCallbackRecord(
  change: RecordChange & { callbackUrl: string },
  { settings, clock, mint, state }: CallbackParts,
): CallbackRecord {
  const { drop, double, delaySeconds } = readSwitch(state.callbackDelivery);
  const happens = (probability: number): boolean =>
    probability === 1 || (probability > 0 && settings.random() < probability);
  const isDropped = happens(drop);
  const createdAtMs = clock.now();
  const event = eventName(change.record, change.status, settings.dialect);
  return {
    id: mint.id('cbk'),
    event,
    record: change.record,
    recordId: change.id,
    reference: referenceOf(change.data),
    url: change.callbackUrl,
    body: JSON.stringify({ event, data: toWireData(change, settings.dialect) }),
    createdAtMs,
    isDropped,
    isDoubled: !isDropped && happens(double),
    planned: isDropped ? [] : [{ atMs: createdAtMs + delaySeconds * 1000, reason: 'first' }],
    attempts: [],
  };
}

function toWireData({ record, data }: RecordChange, { amountUnit }: Dialect): object {
  const { accessToken: _secret, ...shown } = data as Record<string, unknown>;
  return convertAmounts(shown, notifiedRecords[record].amounts, (amount) => toWireAmount(amount, amountUnit));
}

function referenceOf(data: object): string | null {
  return 'reference' in data && typeof data.reference === 'string' ? data.reference : null;
}
