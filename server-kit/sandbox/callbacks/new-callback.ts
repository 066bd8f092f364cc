import { convertAmounts, toWireAmount } from '../../api/amount-unit.ts';
import { invoiceAmounts } from '../../api/invoice.ts';
import { paymentAmounts } from '../../api/payment.ts';
import { payoutAmounts } from '../../api/payout.ts';
import type { Dialect } from '../../dialect.ts';
import type { SandboxWorld } from '../world.ts';
import type { CallbackRecord, NotifiedRecord } from './callback.ts';
import { readSwitch } from './delivery-switch.ts';

/** A change of a record of which its owner is told. */
export type Notice = {
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

/** The fields that hold amounts, for the dialect's unit. */
const amounts: Readonly<Record<NotifiedRecord, readonly string[]>> = {
  payment: paymentAmounts,
  payout: payoutAmounts,
  invoice: invoiceAmounts,
  dedicated_account: [],
};

/** The callback for a change. Whether it is dropped, doubled or delayed is settled here, once and for all. */
export function newCallback(
  notice: Notice & { callbackUrl: string },
  { settings, clock, mint, state }: Pick<SandboxWorld, 'settings' | 'clock' | 'mint' | 'state'>,
): CallbackRecord {
  const { drop, double, delaySeconds } = readSwitch(state.callbackDelivery);
  const happens = (probability: number): boolean =>
    probability === 1 || (probability > 0 && settings.random() < probability);
  const isDropped = happens(drop);
  const createdAtMs = clock.now();
  const event = eventName(notice, settings.dialect);
  return {
    id: mint.id('cbk'),
    event,
    record: notice.record,
    recordId: notice.id,
    reference: referenceOf(notice.data),
    url: notice.callbackUrl,
    body: JSON.stringify({ event, data: toWireData(notice, settings.dialect) }),
    createdAtMs,
    isDropped,
    isDoubled: !isDropped && happens(double),
    planned: isDropped ? [] : [{ atMs: createdAtMs + delaySeconds * 1000, reason: 'first' }],
    attempts: [],
  };
}

const eventName = ({ record, status }: Notice, { callbackEvent }: Dialect): string =>
  callbackEvent.replaceAll('{record}', record).replaceAll('{status}', status);

function toWireData({ record, data }: Notice, { amountUnit }: Dialect): object {
  const { accessToken: _secret, ...shown } = data as Record<string, unknown>;
  return convertAmounts(shown, amounts[record], (amount) => toWireAmount(amount, amountUnit));
}

function referenceOf(data: object): string | null {
  return 'reference' in data && typeof data.reference === 'string' ? data.reference : null;
}
