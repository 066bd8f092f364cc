import { describe, expect, it } from 'vitest';
import { createSingleFlight } from '../../../server-kit/async/single-flight.ts';
import { type Order, parseOrder } from '../../../server-kit/payments/order.ts';
import { createOncePerOrder } from '../../../server-kit/sessions/once-per-order.ts';
import { settle } from '../../settle.ts';
import { changedOrder } from '../kit/wire-faults.ts';
import { order as input } from '../kit/wired-shop.ts';

/** Work that ends when the test says so. */
function createWork<T>() {
  const begun: { of: T; resolve: (result: string) => void; reject: (error: Error) => void }[] = [];
  const work = (of: T) =>
    new Promise<string>((resolve, reject) => {
      begun.push({ of, resolve, reject });
    });
  return { begun, work };
}

const order = parseOrder(input, 'this');
const changed = parseOrder(changedOrder, 'this');
const other = parseOrder({ ...input, orderId: 'order-2' }, 'this');

describe('work once per order', () => {
  it('is shared by those who ask for the same amount at once', async () => {
    const { begun, work } = createWork<Order>();
    const once = createOncePerOrder(work);
    const results = [once(order), once({ ...order })];
    await settle();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve('a');
    expect(await Promise.all(results)).toEqual(['a', 'a']);
  });

  it('runs again for the next call', async () => {
    const { begun, work } = createWork<Order>();
    const once = createOncePerOrder(work);
    const first = once(order);
    begun[0]?.resolve('a');
    await first;
    once(order);
    expect(begun).toHaveLength(2);
  });

  it('does not hold up other orders', async () => {
    const { begun, work } = createWork<Order>();
    const once = createOncePerOrder(work);
    once(order);
    once(other);
    await settle();
    expect(begun.map(({ of }) => of.orderId)).toEqual(['order-1', 'order-2']);
  });

  it('for another amount waits for the current run, success or failure', async () => {
    const { begun, work } = createWork<Order>();
    const once = createOncePerOrder(work);
    const first = once(order);
    const second = once(changed);
    const third = once(changed);
    await settle();
    expect(begun).toHaveLength(1);
    begun[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await settle();
    expect(begun.map(({ of }) => of.amount.value)).toEqual([order.amount.value, changed.amount.value]);
    begun[1]?.resolve('b');
    expect(await Promise.all([second, third])).toEqual(['b', 'b']);
  });
});

describe('a single flight', () => {
  it('is joined while it runs, whatever its result, and runs again afterwards', async () => {
    const { begun, work } = createWork<string>();
    const { share } = createSingleFlight<string>();
    const both = [share('a', () => work('a')), share('a', () => work('a'))];
    await settle();
    begun[0]?.reject(new Error('no'));
    for (const one of both) await expect(one).rejects.toThrow('no');
    share('a', () => work('a')).catch(() => {});
    await settle();
    expect(begun).toHaveLength(2);
  });

  it('keeps its keys apart', async () => {
    const { begun, work } = createWork<string>();
    const { share } = createSingleFlight<string>();
    share('a', () => work('a'));
    share('b', () => work('b'));
    await settle();
    expect(begun.map(({ of }) => of)).toEqual(['a', 'b']);
  });

  it('takes work that throws at once for work that fails', async () => {
    const { share } = createSingleFlight<string>();
    const thrown = share('a', () => {
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
  });

  it('is idle once it has ended, and untilIdle never rejects', async () => {
    const { begun, work } = createWork<string>();
    const { share, untilIdle } = createSingleFlight<string>();
    await untilIdle('a');
    const running = share('a', () => work('a'));
    let isIdle = false;
    const idle = untilIdle('a').then(() => {
      isIdle = true;
    });
    await settle();
    expect(isIdle).toBe(false);
    begun[0]?.reject(new Error('no'));
    await expect(running).rejects.toThrow('no');
    await idle;
    expect(isIdle).toBe(true);
  });
});
