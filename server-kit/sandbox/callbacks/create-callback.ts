import { convertAmounts, toWireAmount } from '../../api/amount-unit.ts';
import type { Dialect } from '../../api/dialect.ts';
import type { CallbackRecord } from './callback.ts';
import { readSwitch } from './delivery-switch.ts';
import { eventName, type NotifiedRecord, notifiedRecords } from './notified-records.ts';
import type { CallbackParts } from './parts.ts';

/** A change of a record of which its owner is told. */
export type RecordChange = {
  record: NotifiedRecord;
  id: string;
  /** What it has become: the second half of the event's name. */
  status: string;
  /** Where to; `null` for nobody who wants to know. */
  callbackUrl: string | null;
  /**
   * The record as its endpoint answers it, with amounts in minor units. Its text is made now, so that later changes do
   * not show in it. An `accessToken` is left out: callbacks go over networks that it must not.
   */
  data: object;
};

/** The callback for a change. Whether it is dropped, doubled or delayed is settled here, once and for all. */
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
