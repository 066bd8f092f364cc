import type { ControlCheckoutLink, ControlPayment, ControlTransfer } from 'transfer-checkout/sandbox';
import { describe, expect, it } from 'vitest';
import {
  describeTransfer,
  formatAccountNumber,
  formatCountdown,
  formatDateTime,
  formatDuration,
  formatJson,
  formatOffset,
  formatProbability,
  formatRecent,
  linkStatus,
  secondsLeft,
  waitsUntil,
} from '../../../../demo/panel/model/format.ts';

const noon = Date.UTC(2026, 0, 2, 12, 0, 0) / 1000;

describe('a timestamp', () => {
  it('is shown in UTC, wherever the browser is', () => {
    expect(formatDateTime('2026-01-02T23:30:05.000Z')).toBe('2 Jan 2026, 23:30:05');
  });

  it('of the sandbox’s current day is shown without a date', () => {
    expect(formatRecent('2026-01-02T09:30:05.000Z', noon)).toBe('09:30:05');
    expect(formatRecent('2026-01-01T09:30:05.000Z', noon)).toBe('1 Jan 2026, 09:30:05');
    expect(formatRecent('2026-01-02T09:30:05.000Z', undefined)).toBe('2 Jan 2026, 09:30:05');
  });
});

describe('the clock', () => {
  it.each([
    [0, 'real time'],
    [1, 'real time'],
    [-1, 'real time'],
    [2, '2 s ahead'],
    [-45, '45 s behind'],
    [1800, '30 min ahead'],
    [-93_900, '1 day 2 h 5 min behind'],
  ])('that is off by %d s is "%s"', (seconds, text) => {
    expect(formatOffset(seconds)).toBe(text);
  });

  it('is formatted in readable units', () => {
    expect([formatDuration(59), formatDuration(3600), formatDuration(172_800)]).toEqual([
      '59 s',
      '1 h',
      '2 days',
    ]);
    expect([formatCountdown(5), formatCountdown(1799), formatCountdown(3729)]).toEqual([
      '0:05',
      '29:59',
      '1:02:09',
    ]);
  });
});

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

describe('a checkout link', () => {
  const link = { isOpened: false, expiresAt: '2026-01-02T12:30:00.000Z' } as ControlCheckoutLink;

  it('can be opened until it expires', () => {
    expect(linkStatus(link, noon + 1799)).toBe('not_opened');
    expect(linkStatus(link, noon + 1800)).toBe('expired');
  });

  it('stays opened after it has expired', () => {
    expect(linkStatus({ ...link, isOpened: true }, noon + 1800)).toBe('opened');
  });

  it('without an expiry never expires, and none does before the clock is known', () => {
    expect(linkStatus({ ...link, expiresAt: null }, noon + 1800)).toBe('not_opened');
    expect(linkStatus(link, undefined)).toBe('not_opened');
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

  it('that arrived shows the account and the payment’s status', () => {
    expect(plain(describeTransfer(transfer, payment))).toBe(
      'USD 12,500.00 arrived at 9012 345 678. The payment is charged.',
    );
  });

  it('without a payment shows only the account', () => {
    expect(plain(describeTransfer(transfer, null))).toBe('USD 12,500.00 arrived at 9012 345 678.');
  });

  it('that was returned shows the reason', () => {
    const returned: ControlTransfer = { ...transfer, status: 'returned', reason: 'The payment is paid.' };
    const text = 'Returned by the bank: USD 12,500.00. The payment is paid.';
    expect(plain(describeTransfer(returned, payment))).toBe(text);
    expect(plain(describeTransfer(returned, null))).toBe(text);
  });
});

describe('the formatters', () => {
  it('group an account number of ten digits, and no other', () => {
    expect([formatAccountNumber('9012345678'), formatAccountNumber('123')]).toEqual(['9012 345 678', '123']);
  });

  it('indent JSON, and leave other text unchanged', () => {
    expect(formatJson('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(formatJson('{"a":')).toBe('{"a":');
  });

  it('show a probability in percent', () => {
    expect([0, 0.25, 0.125, 1].map(formatProbability)).toEqual(['0 %', '25 %', '12.5 %', '100 %']);
  });
});
