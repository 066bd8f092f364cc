import type { Money } from '../../src/contract/index.ts';
import { isSameAmount, type Order } from '../payments/order.ts';

/**
 * Runs one piece of work an order at a time. Two clicks are one call, and get its result, whatever `more` they come with. A
 * call for another amount waits until the one before has ended, because it has to see what that one did.
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
