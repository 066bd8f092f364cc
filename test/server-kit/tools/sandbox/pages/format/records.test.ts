import type { ControlPayment, ControlTransfer } from 'transfer-checkout/sandbox';
import { describe, expect, it } from 'vitest';
import {
  describeTransfer,
  waitsUntil,
} from '../../../../../../server-kit/tools/sandbox/pages/format/records.ts';
import { secondsLeft } from '../../../../../../server-kit/tools/sandbox/pages/format/time.ts';

const noon = Date.UTC(2026, 0, 2, 12, 0, 0) / 1000;

describe('a payment', () => {
  const waiting = { status: 'awaiting_charge', expiresAt: '2026-01-02T12:30:00.000Z' } as ControlPayment;

  it('has time left while it waits for money', () => {
    expect(secondsLeft(waitsUntil(waiting), noon)).toBe(1800);
    expect(secondsLeft(waitsUntil({ ...waiting, status: 'initiated' }), noon)).toBe(1800);
  });

  it('has none when it no longer waits, or has no expiry', () => {
    expect(secondsLeft(waitsUntil(waiting), noon + 1800)).toBeUndefined();
    expect(waitsUntil({ ...waiting, status: 'succeeded' })).toBeUndefined();
    expect(secondsLeft(null, noon)).toBeUndefined();
  });
});

/** Replaces the no-break space that `Intl` puts after the currency. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('a transfer', () => {
  const transfer = {
    amount: 1_250_000,
    currency: 'USD',
    status: 'accepted',
    accountNumber: '9012345678',
  } as ControlTransfer;
  const payment = { status: 'charged' } as ControlPayment;

  it('shows the account and the payment’s status if it arrived', () => {
    expect(plain(describeTransfer(transfer, payment))).toBe(
      'USD 12,500.00 arrived at 9012 345 678. The payment is charged.',
    );
  });

  it('shows only the account if it has no payment', () => {
    expect(plain(describeTransfer(transfer, null))).toBe('USD 12,500.00 arrived at 9012 345 678.');
  });

  it('shows the reason if it was returned', () => {
    const returned: ControlTransfer = { ...transfer, status: 'returned', reason: 'The payment is paid.' };
    const text = 'Returned by the bank: USD 12,500.00. The payment is paid.';
    expect(plain(describeTransfer(returned, payment))).toBe(text);
    expect(plain(describeTransfer(returned, null))).toBe(text);
  });
});
