import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { holdsMoney, isPaid, type Payment, toPaymentView } from '../../../server-kit/core/index.ts';
import { PaymentView } from '../../../src/contract/index.ts';
import { envelope } from '../kit/client-kit.ts';
import { createPlatform, request } from './sandbox-platform.ts';

async function openPaid(afterMs = 0) {
  const { open, pay, client, clock } = createPlatform();
  const opened = await open();
  clock.advance(afterMs);
  pay(opened);
  return { opened, payment: await client.payments.verify(opened.reference) };
}

describe('openPayment', () => {
  it('returns what a platform stores: account, amount, expiry, mode, and nothing of the customer', async () => {
    const { open, control, clock } = createPlatform();
    const opened = await open({ customer: { name: 'Ada Obi', email: 'ada@example.com' } });
    const [payment] = control.listPayments();
    expect(opened).toEqual({
      reference: 'order_1',
      paymentId: payment?.id,
      amount: { value: 1_250_000, currency: 'NGN' },
      account: { number: payment?.accountNumber, name: payment?.accountName, bankName: payment?.bankName },
      openedAt: new Date(clock.now()).toISOString(),
      expiresAt: new Date(clock.now() + 1_800_000).toISOString(),
      liveMode: false,
    });
    expect(JSON.parse(JSON.stringify(opened))).toEqual(opened);
  });

  it('opens another payment when the response is lost, because nothing returns the account', async () => {
    const { open, control, wire } = createPlatform();
    let lost = 1;
    wire.intercept = async (_path, send) => {
      const response = await send();
      return lost-- > 0 ? Promise.reject(new TypeError('fetch failed')) : response;
    };
    const opened = await open();
    expect(opened.reference).toBe('order_1-2');
    const [first, second] = control.listPayments();
    expect([first?.reference, second?.reference].sort()).toEqual(['order_1', 'order_1-2']);
    expect([first, second].map((one) => one?.accountNumber)).toContain(opened.account.number);
  });

  it('opens another one after a process that ended before it had the response', async () => {
    const { open, client } = createPlatform();
    await client.payments.initiate({ ...request, paymentMethod: 'pay_with_transfer' });
    expect((await open()).reference).toBe('order_1-2');
  });

  it('gives up after three lost responses', async () => {
    const { open, control, wire } = createPlatform();
    wire.intercept = async (_path, send) => {
      const before = control.listPayments().length;
      const response = await send();
      if (control.listPayments().length > before) throw new TypeError('fetch failed');
      return response;
    };
    await expect(open()).rejects.toMatchObject({ code: 'reference_exists', isLikelyOwn: true });
    expect(control.listPayments()).toHaveLength(3);
  });

  it('does not try again what the service has refused', async () => {
    const { open, calls, wire } = createPlatform();
    wire.intercept = async () => Response.json(envelope('invalid_request_error'), { status: 422 });
    await expect(open()).rejects.toMatchObject({ code: 'invalid_request' });
    expect(calls).toHaveLength(1);
  });

  it('refuses an account of another amount', async () => {
    const { open, wire } = createPlatform();
    wire.intercept = async (_path, send) => {
      const body = (await (await send()).json()) as object;
      return Response.json({ ...body, amount: { value: 12_500, currency: 'NGN' } });
    };
    await expect(open()).rejects.toMatchObject({ code: 'invalid_response', params: ['amount', 'reference'] });
  });
});

describe('toPaymentView', () => {
  it('shows the account before anybody has asked the service', async () => {
    const { opened } = await openPaid();
    const { account, amount, openedAt, expiresAt } = opened;
    expect(toPaymentView(opened)).toEqual({
      reference: 'order_1',
      account,
      amount,
      chargedAmount: 0,
      status: 'initiated',
      outcome: 'pending',
      openedAt,
      expiresAt,
      liveMode: false,
    });
  });

  it('is what the widget reads, and has nothing else of either record', async () => {
    const { opened, payment } = await openPaid();
    const stored = { ...opened, customerId: 'cus_1', account: { ...opened.account, bvn: '1' } };
    const secret = { accessToken: 'secret', receiptEmail: 'ada@example.com' };
    const view = toPaymentView(stored, { ...payment, ...secret });
    expect(JSON.parse(JSON.stringify(v.parse(PaymentView, view)))).toEqual(view);
    expect(JSON.stringify(view)).not.toMatch(/secret|ada@|cus_1|bvn/);
  });

  it('says when a payment was paid, and for which order', async () => {
    const { opened, payment } = await openPaid();
    const view = toPaymentView({ ...opened, orderId: '1001' }, payment);
    expect(view).toMatchObject({
      outcome: 'paid',
      paidAt: payment.updatedAt,
      orderId: '1001',
      chargedAmount: 1_250_000,
    });
    expect(view).not.toHaveProperty('receivedLate');
  });

  it('says that the money came late', async () => {
    const { opened, payment } = await openPaid(1_900_000);
    expect(toPaymentView(opened, payment)).toMatchObject({ outcome: 'paid', receivedLate: true });
  });

  it.each<[string, Partial<Payment> | null, object]>([
    ['a payment that the service does not know', null, { outcome: 'unclear', status: 'not_found' }],
    ['a part', { status: 'awaiting_charge', chargedAmount: 500 }, { outcome: 'pending', chargedAmount: 500 }],
    ['unconfirmed money', { status: 'charged' }, { outcome: 'pending', status: 'charged' }],
    ['confirmed money that is too little', { chargedAmount: 500 }, { outcome: 'amountMismatch' }],
    ['confirmed money without an amount', { chargedAmount: null }, { outcome: 'pending', chargedAmount: 0 }],
    ['an expired payment', { status: 'expired' }, { outcome: 'expired' }],
    ['a failed payment', { status: 'failed' }, { outcome: 'failed' }],
    ['a reversed payment', { status: 'reversed' }, { outcome: 'reversed' }],
    ['an unknown status', { status: 'settled' }, { outcome: 'pending', status: 'settled' }],
    ['another payment', { id: 'pay_other' }, { outcome: 'pending', status: 'initiated', chargedAmount: 0 }],
  ])('shows %s as it is, and not as paid', async (_name, change, expected) => {
    const { opened, payment } = await openPaid();
    const view = toPaymentView({ ...opened, orderId: '1001' }, change && { ...payment, ...change });
    expect(view).toMatchObject(expected);
    expect(view).not.toHaveProperty('paidAt');
    expect(view).not.toHaveProperty('orderId');
  });
});

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
    [
      'all that the service expects, which is less than the order costs',
      { expectedAmount: 9, chargedAmount: 9 },
    ],
    ['without an amount', { chargedAmount: null }],
    ['in another currency', { currency: 'USD' }],
    ['of the other mode', { liveMode: true }],
    ['another payment with the same reference', { id: 'pay_other' }],
    ['of another reference', { reference: 'order_2' }],
  ])('is false for one that is %s', async (_name, change) => {
    const { opened, payment } = await openPaid();
    expect(isPaid(opened, { ...payment, ...change })).toBe(false);
  });
});

it.each<[Partial<Payment>, boolean]>([
  [{ status: 'initiated', chargedAmount: 0 }, false],
  [{ status: 'awaiting_charge', chargedAmount: null }, false],
  [{ status: 'awaiting_charge', chargedAmount: 1 }, true],
  [{ status: 'charged', chargedAmount: null }, true],
  [{ status: 'settled', chargedAmount: 0 }, false],
  [{ status: 'expired', chargedAmount: 0 }, false],
  [{ status: 'reversed', chargedAmount: 1_250_000 }, false],
])('holdsMoney is $1 for %o', async (change, expected) => {
  const { payment } = await openPaid();
  expect(holdsMoney({ ...payment, ...change })).toBe(expected);
});
