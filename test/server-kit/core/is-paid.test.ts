import { describe, expect, it } from 'vitest';
import { holdsMoney, isPaid, type Payment } from '../../../server-kit/core/index.ts';
import { createPlatform } from './sandbox-platform.ts';

/** A payment that is paid in full. */
async function openPaid() {
  const { open, pay, client } = createPlatform();
  const opened = await open();
  pay(opened);
  return { opened, payment: await client.payments.verify(opened.reference) };
}

describe('isPaid', () => {
  it('is true when the service has confirmed the full amount, or more', async () => {
    const { opened, payment } = await openPaid();
    expect([payment.status, isPaid(opened, payment)]).toEqual(['succeeded', true]);
    expect(isPaid(opened, { ...payment, chargedAmount: 1_250_001 })).toBe(true);
  });

  it.each<[string, Partial<Payment>]>([
    ['charged', { status: 'charged' }],
    ['expired', { status: 'expired' }],
    ['failed', { status: 'failed' }],
    ['reversed', { status: 'reversed' }],
    ['of an unknown status', { status: 'settled' }],
    ['one kobo too little', { chargedAmount: 1_249_999 }],
    ['less than the service expects', { expectedAmount: 1_250_001 }],
    ['without an amount', { chargedAmount: null }],
    ['in another currency', { currency: 'USD' }],
    ['of the other mode', { liveMode: true }],
    ['another payment with the same reference', { id: 'pay_other' }],
    ['of another reference', { reference: 'order_2' }],
  ])('is false for one that is %s', async (_name, change) => {
    const { opened, payment } = await openPaid();
    expect(isPaid(opened, { ...payment, ...change })).toBe(false);
  });

  it('is false for a service that expects less than the order costs', async () => {
    const { opened, payment } = await openPaid();
    expect(isPaid(opened, { ...payment, expectedAmount: 100, chargedAmount: 100 })).toBe(false);
  });
});

describe('holdsMoney', () => {
  it.each<[Partial<Payment>, boolean]>([
    [{ status: 'initiated', chargedAmount: 0 }, false],
    [{ status: 'awaiting_charge', chargedAmount: null }, false],
    [{ status: 'awaiting_charge', chargedAmount: 1 }, true],
    [{ status: 'charged', chargedAmount: null }, true],
    [{ status: 'settled', chargedAmount: 0 }, false],
    [{ status: 'expired', chargedAmount: 0 }, false],
    [{ status: 'reversed', chargedAmount: 1_250_000 }, false],
  ])('is $1 for %o', async (change, expected) => {
    const { payment } = await openPaid();
    expect(holdsMoney({ ...payment, ...change })).toBe(expected);
  });
});
