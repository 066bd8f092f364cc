import { describe, expect, it } from 'vitest';
import { awaitedBy } from '../../../../server-kit/engine/order/money.ts';
import type { Order, Payment, ShownPayment } from '../../../../server-kit/engine/order/record.ts';
import { report } from '../../../../server-kit/engine/order/report.ts';
import { isSettled, view, viewOrder, viewPayment } from '../../../../server-kit/engine/order/view.ts';
import { outcomes } from '../../../../src/contract/index.ts';
import { account, at, follow, link, observed, opening, orderOf, shown, shownLink, unseen } from './orders.ts';

/** The view of the first payment of an order whose events were written. */
const viewOf = (payment: ShownPayment, ...others: Payment[]) =>
  view(report(orderOf(payment, ...others)).record, payment);
const paid = observed('succeeded', 1000);
const reversedOf = ({ reported, ...order }: Order): Order => ({
  ...order,
  reported: { ...reported, paid: reported.paid && { ...reported.paid, isReversed: true } },
});

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
  ])('is $1 for the status %s', (status, outcome, shownStatus) => {
    const payment = shown({ observed: status === null ? null : observed(status, 1000) });
    expect(viewOf(payment)).toMatchObject({ outcome, status: shownStatus });
  });

  it.each([
    ['too little money', 'open', 'succeeded', 999, 'amountMismatch'],
    ...['initiated', 'succeeded', 'reversed'].map(
      (status) => [`a replaced payment, ${status}`, 'closed', status, 1000, 'replaced'] as const,
    ),
  ] as const)('is $4 for %s', (_name, state, status, amount, outcome) => {
    expect(viewOf(shown({ state, observed: observed(status, amount) })).outcome).toBe(outcome);
  });

  it('is not paid if the money came after another payment had paid', () => {
    const other = shown({ reference: 'b', observed: paid });
    const { record: order } = report(orderOf(shown({ observed: paid }), other));
    const seen = viewPayment(order, other);
    expect(seen.outcome).toBe('replaced');
    for (const field of ['orderId', 'paidAt', 'receivedLate']) expect(seen).not.toHaveProperty(field);
  });

  it('stays paid or reversed once the payment has paid its order', () => {
    const { record: order } = report(orderOf(shown({ observed: paid })));
    const now = (status: string, chargedAmount: number): ShownPayment =>
      shown({ observed: observed(status, chargedAmount) });
    expect(view({ ...order, payments: [now('succeeded', 400)] }, now('succeeded', 400)).outcome).toBe('paid');
    const reversed = report({ ...order, payments: [now('reversed', 0)] }).record;
    expect(view(reversed, now('reversed', 0)).paidAt).toBe(view(order, now('succeeded', 1000)).paidAt);
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
    expect(viewOf(shown({ observed: observed('awaiting_charge', 400) }))).toStrictEqual({
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

  it('says that an order was reversed also where the service does not know its next payment', () => {
    const order = reversedOf(report(orderOf(shownLink({ paymentId: 'pay_a' }, { observed: paid }))).record);
    const missing = { observed: observed('initiated'), missingSince: at(900) };
    const next = shownLink({ paymentId: 'pay_b' }, missing);
    const expected = { status: 'initiated', outcome: 'reversed' };
    expect(view({ ...order, payments: [next] }, next)).toMatchObject(expected);
  });

  it.each([
    [null, 'unclear'],
    ['awaiting_charge', 'unclear'],
    ['expired', 'unclear'],
    ['failed', 'failed'],
    ['reversed', 'reversed'],
    ['succeeded', 'amountMismatch'],
  ])(
    'has the outcome $1 for a payment that was %s, and that the service does not know',
    (status, outcome) => {
      const seen = viewOf(
        shown({ missingSince: at(900), observed: status === null ? null : observed(status) }),
      );
      expect(seen).toMatchObject({ outcome, status: outcome === 'unclear' ? 'not_found' : status });
    },
  );

  it('has an empty account, and the mode of the order, if nobody has seen the payment', () => {
    const live = shown({ opened: { ...account, liveMode: true } });
    for (const [others, liveMode] of [
      [[], true],
      [[shown()], false],
      [[live], true],
    ] as const) {
      const seen = viewPayment(orderOf(unseen({ reference: 'b' }), ...others), unseen({ reference: 'b' }));
      const empty = { number: '', name: '', bankName: '' };
      expect(seen).toMatchObject({
        account: empty,
        outcome: 'replaced',
        openedAt: at(0),
        expiresAt: at(0),
        liveMode,
      });
    }
  });

  it('says that a replaced payment is replaced, also where the service does not know it', () => {
    expect(viewOf(shown({ state: 'closed', missingSince: at(900) })).outcome).toBe('replaced');
  });

  const seenLink = (status: string, amount = 0) => shownLink({}, { observed: observed(status, amount) });
  it.each([
    ['before it is opened', shownLink(), true, 'unclear'],
    ['while a part is missing', seenLink('awaiting_charge', 1), true, 'unclear'],
    ['once all has arrived', seenLink('charged', 1000), false, 'pending'],
    ['once it has expired', seenLink('expired'), false, 'expired'],
    ['once the service has lost it', shownLink({}, { missingSince: at(900) }), false, 'unclear'],
  ])('has the page of a link, and no account: %s', (_name, payment, isPayable, outcome) => {
    const seen = viewOf(payment);
    expect(seen).toMatchObject({ account: { number: '', name: '', bankName: '' }, outcome });
    expect(seen.authorizationUrl).toBe(isPayable ? link.authorizationUrl : undefined);
  });
});

describe('the view of an order', () => {
  const b = { reference: 'b' };

  it.each<[string, Payment[], string | undefined]>([
    ['no account', [opening(), unseen(b)], undefined],
    ['two accounts, the last', [shown(), shown(b), unseen({ reference: 'c' })], 'b'],
    ['money on the first, that one', [shown({ observed: observed('charged', 1000) }), shown(b)], 'a'],
  ])('is that of the right account, with %s', (_name, payments, reference) => {
    expect(viewOrder(orderOf(...payments))?.reference).toBe(reference);
  });

  it('is that of the deciding payment, under the requested reference', () => {
    const seen = viewOf(shown({ state: 'closed' }), shown({ ...b, observed: paid }));
    expect(seen).toMatchObject({ reference: 'a', paymentReference: 'b', outcome: 'paid' });
    expect(viewOf(shown({ observed: paid }), shown(b))).not.toHaveProperty('paymentReference');
  });

  const mismatches = 'a succeeded 400, a reversed 0, a succeeded 300';
  it.each([
    ['is a mismatch again', mismatches, 'amountMismatch', 300],
    ['is reversed again', `${mismatches}, a reversed 0`, 'reversed', 0],
  ])('%s after a mismatch was taken back', (_name, history, outcome, chargedAmount) => {
    expect(viewOrder(follow(orderOf(shown()), history).order)).toMatchObject({ outcome, chargedAmount });
  });

  it('adds the money on others to what was reversed, so that the page can say how much came there', () => {
    const history = 'a succeeded 1000, a reversed 1000, b succeeded 1000';
    const { order } = follow(orderOf(shown(), shown(b)), history);
    expect(viewOrder(order)).toMatchObject({ chargedAmount: 1000, orderChargedAmount: 2000 });
  });

  const inDollars = { ...b, amount: { value: 1, currency: 'USD' }, observed: observed('failed', 300) };
  it.each<[string, Payment[], number | undefined]>([
    ['nothing more', [], undefined],
    ['money on a replaced one', [shown({ ...b, state: 'closed', observed: paid })], 1400],
    ['money on one that was never shown', [unseen({ ...b, observed: paid })], 1400],
    ['unconfirmed money', [shown({ ...b, state: 'closed', observed: observed('charged', 300) })], undefined],
    ['money that was taken back', [shown({ ...b, observed: observed('reversed', 300) })], undefined],
    ['money in another currency', [shown(inDollars)], undefined],
    ['an account without a response', [shown(b)], undefined],
  ])('sums up the money of which the merchant knows: with %s', (_name, others, orderChargedAmount) => {
    const confirming = { ...observed('charged', 400), confirmingSince: at(0) };
    const { record: order } = report(orderOf(shown({ observed: confirming }), ...others));
    expect(view(order, shown({ observed: confirming })).orderChargedAmount).toBe(orderChargedAmount);
  });
});

describe('what an order waits for', () => {
  const waiting = shown({ observed: observed('awaiting_charge') });
  const expired = shown({ observed: observed('expired') });
  const confirmed = shown({ observed: { ...observed('charged', 1000), confirmingSince: at(300) } });
  it.each([
    ['without payments', orderOf(), null],
    ['whose account is opened', orderOf(opening()), 'money'],
    ['with an account', orderOf(shown()), 'money'],
    ['with an account that waits', orderOf(waiting), 'money'],
    ['with an earlier account that waits', orderOf(shown(), expired), 'money'],
    ['whose money is not confirmed', orderOf(confirmed, shown()), 'confirmation'],
    ['whose replaced account has money', orderOf({ ...confirmed, state: 'closed' }), null],
    ['whose account has expired', orderOf(expired), null],
    ['whose account was never shown', orderOf(unseen()), null],
    ['that is paid', report(orderOf(shown({ observed: paid }), confirmed)).record, null],
  ])('an order %s waits for $2', (_name, order, expected) => {
    expect(awaitedBy(order)).toBe(expected);
  });
});
