import type { Money } from '../../src/contract/index.ts';
import { isSameAmount, type Order } from '../payments/order.ts';

/**
 * Runs `work` once per order at a time. Calls for the same order and amount share one run and its result, whatever other
 * arguments they pass. A call for another amount waits for the current run to end, because it must see what that run did.
 */
export function createOncePerOrder<T, More extends unknown[]>(
  work: (order: Order, ...more: More) => Promise<T>,
): (order: Order, ...more: More) => Promise<T> {
  const underWay = new Map<string, { amount: Money; result: Promise<T> }>();
  return async (order, ...more) => {
    const { orderId, amount } = order;
    for (let other = underWay.get(orderId); other !== undefined; other = underWay.get(orderId)) {
      if (isSameAmount(other.amount, amount)) return other.result;
      await other.result.catch(() => {});
    }
    const result = work(order, ...more).finally(() => underWay.delete(orderId));
    underWay.set(orderId, { amount, result });
    return result;
  };
}
