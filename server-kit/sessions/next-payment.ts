import { isSameAmount, type Order } from '../payments/order.ts';
import { decidingPayment } from '../payments/order-view.ts';
import { isOpened, type OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { Verifier } from '../verification/verifier.ts';
import { verifyEarlierNow } from '../verification/verify-order.ts';
import { type OpenOptions, openPayment } from './open-payment.ts';
import { takeOpening, waitUntilAbandoned } from './opening-lease.ts';
import type { OrderPayment } from './session.ts';

export type NextPaymentOptions = OpenOptions & {
  verifier: Verifier;
  createReference: () => string;
};

export type FoundPayment = Pick<OrderPayment, 'record' | 'created'>;

/** Opens a payment that an earlier request recorded and whose account is not known. */
export async function openStored(
  options: NextPaymentOptions,
  order: Order,
  records: readonly PaymentRecord[],
  latest: PaymentRecord,
): Promise<FoundPayment | undefined> {
  // Also where the price has changed: two requests at two prices would otherwise close each other's payments forever.
  const abandoned = await waitUntilAbandoned(options, latest, options.deadline);
  if (abandoned === undefined) return undefined;
  if (!isSameAmount(latest.amount, order.amount)) {
    await options.recorder.replace(abandoned);
    return undefined;
  }
  const { deciding } = await verifyForDecision(options, records);
  if (deciding !== undefined) return { record: deciding, created: false };
  const taken = await takeOpening(options, abandoned);
  return taken && open(options, order, taken);
}

/** Creates the order's next payment, unless an earlier one holds money. */
export async function createNext(
  options: NextPaymentOptions,
  order: Order,
  records: readonly PaymentRecord[],
): Promise<FoundPayment | undefined> {
  const { current, deciding } = await verifyForDecision(options, records);
  if (deciding !== undefined) return { record: deciding, created: false };
  // Late money on them would pay the order at an old price.
  for (const outdated of current.slice(0, -1).filter(isOpened)) {
    if (isSameAmount(outdated.amount, order.amount)) continue;
    if ((await options.recorder.replace(outdated)) === undefined) return undefined;
  }
  const next = newRecord(options, order, (current.at(-1)?.attempt ?? 0) + 1);
  return (await options.recorder.insert(next)) ? open(options, order, next) : undefined;
}

/** Verifies the earlier payments: money may have arrived on one of them, which then decides. */
async function verifyForDecision(
  options: NextPaymentOptions,
  records: readonly PaymentRecord[],
): Promise<{ current: PaymentRecord[]; deciding: OpenedRecord | undefined }> {
  const current = await verifyEarlierNow(options, records);
  return { current, deciding: decidingPayment(current) };
}

async function open(
  options: NextPaymentOptions,
  order: Order,
  taken: PaymentRecord,
): Promise<FoundPayment | undefined> {
  const record = await openPayment(options, order, taken);
  return record && { record, created: true };
}

function newRecord(
  { payments, createReference, instanceId }: NextPaymentOptions,
  order: Order,
  attempt: number,
): PaymentRecord {
  return {
    reference: createReference(),
    orderId: order.orderId,
    attempt,
    amount: order.amount,
    opened: null,
    observed: null,
    outcome: 'pending',
    opening: { by: instanceId, beats: 0 },
    createdAt: new Date(payments.serviceNow()).toISOString(),
    version: 1,
  };
}
