import { describe, expect, it } from 'vitest';
import { isPaid } from '../../../demo/merchant/shop-records.ts';
import { paidEvent } from '../hosted/storage/storage-kit.ts';

describe('an order of the demo’s shop', () => {
  const { amount } = paidEvent;

  it('is paid at its own price only', () => {
    expect(isPaid([paidEvent], amount.value)).toBe(true);
    expect(isPaid([paidEvent], amount.value + 1)).toBe(false);
  });

  it('is not paid by another outcome', () => {
    expect(isPaid([{ ...paidEvent, outcome: 'expired' }], amount.value)).toBe(false);
    expect(isPaid([], amount.value)).toBe(false);
  });
});
