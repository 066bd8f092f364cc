import {
  isShown,
  type Observation,
  type Opened,
  type Order,
  observationOf,
} from '../../../server-kit/engine/order/record.ts';
import { outcomeOf } from '../../../server-kit/engine/order/view.ts';
import type { Store } from '../../../server-kit/engine/store.ts';
import type { Money, Outcome } from '../../../src/contract/index.ts';

/** What the rules need to know of one payment of a stored order. */
export type PaymentFacts = {
  reference: string;
  orderId: string;
  amount: Money;
  outcome: Outcome;
  observed: Observation | null;
  /** `null` for an account that was never shown. */
  opened: Opened | null;
  /** The confirmed money of which the merchant was notified, in minor units. */
  reported: number;
};

export const paymentFactsOf = (order: Order): PaymentFacts[] =>
  order.payments.map((payment) => {
    const { reference, amount } = payment;
    const isOpen = isShown(payment);
    return {
      reference,
      amount,
      orderId: order.orderId,
      outcome: isOpen ? outcomeOf(order, payment) : payment.state === 'opening' ? 'pending' : 'replaced',
      observed: observationOf(payment),
      opened: isOpen ? payment.opened : null,
      reported: order.reported.money[reference]?.amount ?? 0,
    };
  });

/** Returns the stored payments of an order, the oldest first. */
export async function storedPayments(store: Store, orderId = 'order-1'): Promise<PaymentFacts[]> {
  const { record } = await store.find({ orderId });
  return record === null ? [] : paymentFactsOf(record);
}

export async function storedPayment(store: Store, reference: string): Promise<PaymentFacts | undefined> {
  const { record } = await store.find({ reference });
  return record === null
    ? undefined
    : paymentFactsOf(record).find((payment) => payment.reference === reference);
}
