import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Payment, toPaymentView } from '../../../server-kit/core/index.ts';
import { PaymentView } from '../../../src/contract/index.ts';
import { createPlatform } from './sandbox-platform.ts';

async function openPaid(afterMs = 0) {
  const { open, pay, client, clock } = createPlatform();
  const opened = await open();
  clock.advance(afterMs);
  pay(opened);
  return { opened, payment: await client.payments.verify(opened.reference) };
}

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
    const view = toPaymentView(stored, {
      ...payment,
      accessToken: 'secret',
      receiptEmail: 'ada@example.com',
    });
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

  it.each<[string, Partial<Payment>, object]>([
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
    const view = toPaymentView({ ...opened, orderId: '1001' }, { ...payment, ...change });
    expect(view).toMatchObject(expected);
    expect(view).not.toHaveProperty('paidAt');
    expect(view).not.toHaveProperty('orderId');
  });

  it('says that nobody should pay where the service does not know the payment', async () => {
    const { opened } = await openPaid();
    expect(toPaymentView(opened, null)).toMatchObject({ outcome: 'unclear', status: 'not_found' });
  });
});
