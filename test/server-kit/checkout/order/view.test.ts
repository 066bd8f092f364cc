import { describe, expect, it } from 'vitest';
import type { Order, Payment, ShownPayment } from '../../../../server-kit/checkout/order/order.ts';
import { report } from '../../../../server-kit/checkout/order/report.ts';
import { isSettled, view, viewPayment } from '../../../../server-kit/checkout/order/view.ts';
import { outcomes } from '../../../../src/contract/index.ts';
import { account, at, link, observed, orderOf, shown, shownLink, unseen } from './orders.ts';

/** The view of the first payment of an order whose events were written. */
const viewOf = (payment: ShownPayment, ...others: Payment[]) =>
  view(report(orderOf(payment, ...others)).record, payment);
const paid = observed('succeeded', 1000);

describe('the outcome of a payment', () => {
  it.each([
    [null, 'pending', 'initiated'],
    ['initiated', 'pending', 'initiated'],
    ['awaiting_charge', 'pending', 'awaiting_charge'],
    ['charged', 'pending', 'charged'],
    ['a_status_of_tomorrow', 'pending', 'a_status_of_tomorrow'],
    ['succeeded', 'paid', 'succeeded'],
    ['failed', 'failed', 'failed'],
    ['expired', 'expired', 'expired'],
    ['reversed', 'reversed', 'reversed'],
  ])('whose status is %s is %s', (status, outcome, shownStatus) => {
    const payment = shown({ observed: status === null ? null : observed(status, 1000) });
    expect(viewOf(payment)).toMatchObject({ outcome, status: shownStatus });
  });

  it('with too little is a mismatch', () => {
    expect(viewOf(shown({ observed: observed('succeeded', 999) })).outcome).toBe('amountMismatch');
  });

  it('that was replaced is replaced, whatever its status', () => {
    for (const status of ['initiated', 'succeeded', 'reversed']) {
      expect(viewOf(shown({ state: 'closed', observed: observed(status, 1000) })).outcome).toBe('replaced');
    }
  });

  it('whose money came after another had paid is not paid', () => {
    const other = shown({ reference: 'b', observed: paid });
    const { record: order } = report(orderOf(shown({ observed: paid }), other));
    const seen = viewPayment(order, other);
    expect(seen.outcome).toBe('replaced');
    for (const field of ['orderId', 'paidAt', 'receivedLate']) expect(seen).not.toHaveProperty(field);
  });

  it('that has paid its order stays paid or reversed', () => {
    const { record: order } = report(orderOf(shown({ observed: paid })));
    const now = (status: string, chargedAmount: number): ShownPayment =>
      shown({ observed: observed(status, chargedAmount) });
    expect(view({ ...order, payments: [now('succeeded', 400)] }, now('succeeded', 400)).outcome).toBe('paid');
    const reversed = report({ ...order, payments: [now('reversed', 0)] }).record;
    expect(view(reversed, now('reversed', 0))).not.toHaveProperty('paidAt');
    const again = report({ ...reversed, payments: [now('succeeded', 1000)] }).record;
    expect(view(again, now('succeeded', 1000)).outcome).toBe('reversed');
  });

  it('is settled where nothing more is to be waited for', () => {
    expect(outcomes.filter(isSettled)).toEqual(['paid', 'failed', 'reversed']);
    expect(isSettled('unclear')).toBe(false);
  });
});

describe('the view of a payment', () => {
  it('has these fields of an account, and no others', () => {
    expect(viewOf(shown({ observed: observed('awaiting_charge', 400) }))).toEqual({
      reference: 'a',
      account: account.account,
      amount: { value: 1000, currency: 'NGN' },
      chargedAmount: 400,
      status: 'awaiting_charge',
      outcome: 'pending',
      openedAt: account.openedAt,
      expiresAt: account.expiresAt,
      liveMode: false,
    });
    expect(viewOf(shown()).chargedAmount).toBe(0);
  });

  it('names the order and the time once it is paid, and whether that was late', () => {
    const onTime = viewOf(shown({ observed: paid }));
    expect(onTime).toMatchObject({ orderId: 'order-1', paidAt: at(300) });
    expect(onTime).not.toHaveProperty('receivedLate');
    expect(viewOf(shown({ observed: observed('succeeded', 1000, 1800) }))).not.toHaveProperty('receivedLate');
    expect(viewOf(shown({ observed: observed('succeeded', 1000, 1801) }))).toMatchObject({
      receivedLate: true,
    });
    expect(viewOf(shown({ observed: observed('succeeded', 999) }))).not.toHaveProperty('orderId');
  });

  it('names the time of the payment, also after a later change', () => {
    const { record: order } = report(orderOf(shown({ observed: paid })));
    const changed = shown({ observed: observed('succeeded', 1000, 9000) });
    expect(view({ ...order, payments: [changed] }, changed)).toMatchObject({ paidAt: at(300) });
  });

  it('says that an order was reversed also where the service does not know its next payment', () => {
    const { record: order } = report(orderOf(shownLink({ paymentId: 'pay_a' }, { observed: paid })));
    const reversed = {
      ...order.reported,
      paid: order.reported.paid && { ...order.reported.paid, isReversed: true },
    };
    const next = shownLink(
      { paymentId: 'pay_b' },
      { observed: observed('initiated'), missingSince: at(900) },
    );
    expect(view({ ...order, payments: [next], reported: reversed }, next)).toMatchObject({
      status: 'initiated',
      outcome: 'reversed',
    });
  });

  it.each([
    ['open', null, true],
    ['awaiting_charge', 'awaiting_charge', true],
    ['expired', 'expired', true],
    ['failed', 'failed', false],
    ['reversed', 'reversed', false],
    ['succeeded', 'succeeded', false],
  ])('of one that is %s says that the service does not know it: %3$s', (_name, status, isMissing) => {
    const payment = shown({ missingSince: at(900), observed: status === null ? null : observed(status) });
    const { status: seen, outcome } = viewOf(payment);
    expect([seen === 'not_found', outcome === 'unclear']).toEqual([isMissing, isMissing]);
  });

  it.each([
    ['before it is opened', shownLink(), link.authorizationUrl, 'unclear'],
    [
      'while a part is missing',
      shownLink({}, { observed: observed('awaiting_charge', 1) }),
      link.authorizationUrl,
      'unclear',
    ],
    ['once all has arrived', shownLink({}, { observed: observed('charged', 1000) }), undefined, 'pending'],
    ['once it has expired', shownLink({}, { observed: observed('expired') }), undefined, 'expired'],
    ['once the service has lost it', shownLink({}, { missingSince: at(900) }), undefined, 'unclear'],
  ])('of a link has its page, and no account: %s', (_name, payment, authorizationUrl, outcome) => {
    const seen = viewOf(payment);
    expect(seen).toMatchObject({ account: { number: '', name: '', bankName: '' }, outcome });
    expect(seen.authorizationUrl).toBe(authorizationUrl);
  });
});

describe('the view of an order', () => {
  const b = { reference: 'b' };

  it('is that of the deciding payment, under the requested reference', () => {
    const seen = viewOf(shown({ state: 'closed' }), shown({ ...b, observed: paid }));
    expect(seen).toMatchObject({ reference: 'a', paymentReference: 'b', outcome: 'paid' });
    expect(viewOf(shown({ observed: paid }), shown(b))).not.toHaveProperty('paymentReference');
  });

  it('is that of the payment that has paid, also once it is reversed and another has money', () => {
    const { record: order } = report(orderOf(shown({ observed: paid }), shown(b)));
    const payments = [shown({ observed: observed('reversed') }), shown({ ...b, observed: paid })];
    const reversed: Order = report({ ...order, payments }).record;
    expect(payments.map((payment) => view(reversed, payment))).toMatchObject([
      { reference: 'a', outcome: 'reversed' },
      { reference: 'b', outcome: 'reversed', paymentReference: 'a' },
    ]);
  });

  it.each([
    ['nothing more', [], undefined],
    ['money on another account', [shown({ ...b, state: 'closed', observed: observed('charged', 300) })], 700],
    ['money that was taken back', [shown({ ...b, observed: observed('reversed', 300) })], undefined],
    [
      'money in another currency',
      [shown({ ...b, amount: { value: 1, currency: 'USD' }, observed: observed('failed', 300) })],
      undefined,
    ],
    ['an account without a response', [shown(b)], undefined],
  ])('sums up its money: with %s', (_name, others, orderChargedAmount) => {
    const seen = viewOf(
      shown({ observed: { ...observed('charged', 400), confirmingSince: at(0) } }),
      ...others,
    );
    expect(seen.orderChargedAmount).toBe(orderChargedAmount);
  });

  it('counts what is on an account that was never shown', () => {
    const money = unseen({ ...b, observed: observed('charged', 300) });
    expect(viewOf(shown({ observed: observed('charged', 400) }), money).orderChargedAmount).toBe(700);
  });
});
