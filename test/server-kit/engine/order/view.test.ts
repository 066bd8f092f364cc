import { describe, expect, it } from 'vitest';
import { awaitedBy } from '../../../../server-kit/engine/order/money.ts';
import type { Order, Payment, ShownPayment } from '../../../../server-kit/engine/order/record.ts';
import { report } from '../../../../server-kit/engine/order/report.ts';
import { isSettled, view, viewOrder, viewPayment } from '../../../../server-kit/engine/order/view.ts';
import { outcomes, type PaymentView } from '../../../../src/contract/index.ts';
import {
  account,
  at,
  follow,
  link,
  observed,
  opening,
  orderOf,
  price,
  shown,
  shownLink,
  unseen,
} from './orders.ts';

/** The view of the first payment of an order whose events were written. */
const viewOf = (payment: ShownPayment, ...others: Payment[]) =>
  view(report(orderOf(payment, ...others)).record, payment);
const paid = observed('succeeded', 1000);
const reversedOf = ({ reported, ...order }: Order): Order => ({
  ...order,
  reported: { ...reported, paid: reported.paid && { ...reported.paid, isReversed: true } },
});

const inState = (state: ShownPayment['state'], status: string, amount = 1000) =>
  shown({ state, observed: observed(status, amount) });
const missing = (status?: string) =>
  shown({ missingSince: at(900), observed: status === undefined ? null : observed(status) });
const seenLink = (status: string, amount = 0) => shownLink({}, { observed: observed(status, amount) });
const noAccount = { number: '', name: '', bankName: '' };
const [payable, notPayable] = [{ authorizationUrl: link.authorizationUrl }, { authorizationUrl: undefined }];

describe('the view of a payment', () => {
  it.each<[string, ShownPayment, Partial<PaymentView>]>([
    ['without a response', shown(), { outcome: 'pending', status: 'initiated', chargedAmount: 0 }],
    ...(['initiated', 'awaiting_charge', 'charged', 'a_status_of_tomorrow'] as const).map(
      (status) => [status, inState('open', status), { outcome: 'pending', status }] as never,
    ),
    ['that is paid', inState('open', 'succeeded'), { outcome: 'paid', status: 'succeeded' }],
    ['that has failed', inState('open', 'failed'), { outcome: 'failed', status: 'failed' }],
    ['that has expired', inState('open', 'expired'), { outcome: 'expired', status: 'expired' }],
    ['that was reversed', inState('open', 'reversed'), { outcome: 'reversed', status: 'reversed' }],
    ['with too little money', inState('open', 'succeeded', 999), { outcome: 'amountMismatch' }],
    ['that was replaced', inState('closed', 'initiated'), { outcome: 'replaced' }],
    ['that was replaced, and then paid', inState('closed', 'succeeded'), { outcome: 'replaced' }],
    ['that was replaced, and then reversed', inState('closed', 'reversed'), { outcome: 'replaced' }],
    ['that is replaced and missing', { ...missing(), state: 'closed' }, { outcome: 'replaced' }],
    ['that is missing', missing(), { outcome: 'unclear', status: 'not_found' }],
    ['that waited and is missing', missing('awaiting_charge'), { outcome: 'unclear', status: 'not_found' }],
    ['that expired and is missing', missing('expired'), { outcome: 'unclear', status: 'not_found' }],
    ['that failed and is missing', missing('failed'), { outcome: 'failed', status: 'failed' }],
    ['that was reversed and is missing', missing('reversed'), { outcome: 'reversed', status: 'reversed' }],
    ['that is confirmed and missing', missing('succeeded'), { outcome: 'amountMismatch' }],
    ['of a link', shownLink(), { outcome: 'unclear', account: noAccount, ...payable }],
    ['of a link with a part', seenLink('awaiting_charge', 1), { outcome: 'unclear', ...payable }],
    ['of a link with all', seenLink('charged', 1000), { outcome: 'pending', ...notPayable }],
    ['of a link that has expired', seenLink('expired'), { outcome: 'expired', ...notPayable }],
    ['of a lost link', shownLink({}, { missingSince: at(900) }), { outcome: 'unclear', ...notPayable }],
  ])('%s', (_name, payment, expected) => {
    expect({ authorizationUrl: undefined, ...viewOf(payment) }).toMatchObject(expected);
  });

  it('has these fields of an account, and no others', () => {
    expect(viewOf(shown({ observed: observed('awaiting_charge', 400) }))).toStrictEqual({
      reference: 'a',
      account: account.account,
      amount: price,
      chargedAmount: 400,
      status: 'awaiting_charge',
      outcome: 'pending',
      openedAt: account.openedAt,
      expiresAt: account.expiresAt,
      liveMode: false,
    });
  });

  it('names the order and the time once it is paid, and whether that was late', () => {
    const paidAfter = (seconds: number) => viewOf(shown({ observed: observed('succeeded', 1000, seconds) }));
    expect(paidAfter(300)).toMatchObject({ orderId: 'order-1', paidAt: at(300) });
    const isLate = [300, 1800, 1801].map((seconds) => paidAfter(seconds).receivedLate === true);
    expect(isLate).toEqual([false, false, true]);
    expect(viewOf(shown({ observed: observed('succeeded', 999) }))).not.toHaveProperty('orderId');
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
    const [less, again] = [inState('open', 'succeeded', 400), inState('open', 'succeeded')];
    const reversal = inState('open', 'reversed', 0);
    expect(view({ ...order, payments: [less] }, less).outcome).toBe('paid');
    const { record: reversed } = report({ ...order, payments: [reversal] });
    expect(view(reversed, reversal).paidAt).toBe(view(order, again).paidAt);
    expect(view(report({ ...reversed, payments: [again] }).record, again).outcome).toBe('reversed');
  });

  it('says that an order was reversed also where the service does not know its next payment', () => {
    const order = reversedOf(report(orderOf(shownLink({ paymentId: 'pay_a' }, { observed: paid }))).record);
    const unknown = { observed: observed('initiated'), missingSince: at(900) };
    const next = shownLink({ paymentId: 'pay_b' }, unknown);
    const expected = { status: 'initiated', outcome: 'reversed' };
    expect(view({ ...order, payments: [next] }, next)).toMatchObject(expected);
  });

  const live = shown({ opened: { ...account, liveMode: true } });
  it.each<[string, Payment[], boolean]>([
    ['live', [], true],
    ['that of its order', [shown()], false],
    ['that of its order', [live], true],
  ])('that nobody has seen has an empty account, and its mode is %s', (_mode, others, liveMode) => {
    const never = unseen({ reference: 'b', observed: paid });
    expect(viewPayment(orderOf(never, ...others), never)).toEqual({
      reference: 'b',
      account: noAccount,
      amount: price,
      chargedAmount: 1000,
      status: 'succeeded',
      outcome: 'replaced',
      openedAt: at(0),
      expiresAt: at(0),
      liveMode,
    });
  });

  it('is settled where nothing more is to be waited for', () => {
    expect(outcomes.filter(isSettled)).toEqual(['paid', 'failed', 'reversed']);
    expect(isSettled('unclear')).toBe(false);
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
