import { describe, expect, it } from 'vitest';
import { isUnopenedLink, observe, observeMissing } from '../../../../server-kit/checkout/order/observe.ts';
import {
  findPayment,
  isShown,
  type Payment,
  type ShownPayment,
} from '../../../../server-kit/checkout/order/order.ts';
import { readResponse, toObservation } from '../../../../server-kit/checkout/order/response.ts';
import { defaultDialect } from '../../../../server-kit/client/api/dialect.ts';
import type { Payment as ServicePayment } from '../../../../server-kit/client/api/payment.ts';
import {
  at,
  expiresMs,
  observed,
  openedMs,
  opening,
  orderOf,
  response,
  shown,
  shownLink,
  unseen,
} from './orders.ts';

/** Observes a response about the only payment of an order. */
function see(payment: Payment, change: Partial<ReturnType<typeof response>> = {}, reportedAmount = 0) {
  const bare = orderOf(payment);
  const money = { a: { amount: reportedAmount, movements: 0 } };
  const order = { ...bare, reported: { ...bare.reported, money } };
  const said = { ...response('a', 'charged', 1000), ...change };
  const { record: after, ignored } = observe(order, 'a', said);
  const seen = findPayment(after, 'a') as ShownPayment;
  return { order, after, ignored, seen };
}

describe('a response about an account', () => {
  it('is recorded', () => {
    const { seen, ignored } = see(shown());
    expect(seen).toEqual(shown({ observed: { ...observed('charged', 1000), confirmingSince: at(300) } }));
    expect(ignored).toBeNull();
  });

  it('is merged into what is known', () => {
    const known = shown({ observed: observed('succeeded', 1000) });
    expect(see(known)).toMatchObject({ seen: known, ignored: 'afterPaid' });
  });

  it('is judged by what the payment costs', () => {
    const known = shown({ observed: observed('succeeded', 1000), amount: { value: 1001, currency: 'NGN' } });
    expect(see(known, { status: 'awaiting_charge', chargedAmount: 0 }).ignored).toBe('forgetsMoney');
  });

  it.each([
    ['reference', { reference: 'b' }],
    ['id', { paymentId: 'pay_b' }],
    ['mode', { liveMode: true }],
    ['currency', { currency: 'USD' }],
  ])('with another %s is ignored', (_name, change) => {
    const { order, after, ignored } = see(shown(), change);
    expect(ignored).toBe('otherPayment');
    expect(after).toBe(order);
  });

  it('that brings nothing new, or is ignored, leaves the same order', () => {
    const known = see(shown()).after;
    expect(observe(known, 'a', response('a', 'charged', 1000)).record).toBe(known);
    expect(observe(known, 'a', response('a', 'initiated')).record).toBe(known);
  });

  it.each([
    ['brings nothing new', {}, null],
    ['is ignored', { status: 'initiated', chargedAmount: 0 }, 'forgetsMoney'],
  ])('of a payment that was missing clears the mark, also where it %s', (_name, change, reason) => {
    const known = shown({ observed: see(shown()).seen.observed, missingSince: at(400) });
    expect(see(known, change)).toMatchObject({ seen: { ...known, missingSince: null }, ignored: reason });
  });

  it('changes neither the account nor another payment', () => {
    const order = orderOf(shown({ reference: 'b' }), shown());
    const { record: after } = observe(order, 'a', response('a', 'charged', 1000));
    expect(after.payments[0]).toBe(order.payments[0]);
    expect(after.payments[1]).toMatchObject({ opened: shown().opened });
  });

  it('of a payment that is not shown yet, or not known, says nothing', () => {
    const order = orderOf(opening());
    expect(observe(order, 'a', response('a', 'charged', 1000))).toEqual({ record: order, ignored: null });
    expect(observe(order, 'b', response('b', 'charged', 1000))).toEqual({ record: order, ignored: null });
  });
});

describe('a response about a payment that was closed unseen', () => {
  it.each([
    ['no money', unseen(), { status: 'awaiting_charge', chargedAmount: 0 }, null, null],
    ['money', unseen(), {}, null, 'charged'],
    ['an end without money', unseen(), { status: 'failed', chargedAmount: 0 }, null, null],
    ['another reference', unseen(), { reference: 'b' }, 'otherPayment', null],
    ['another currency', unseen(), { currency: 'USD' }, 'otherPayment', null],
    ['another id and mode', unseen(), { paymentId: 'pay_b', liveMode: true }, null, 'charged'],
    [
      'no money any more',
      unseen({ observed: observed('charged', 1000, 1) }),
      { status: 'failed', chargedAmount: 0 },
      null,
      'failed',
    ],
    [
      'what is older',
      unseen({ observed: observed('charged', 1000) }),
      { status: 'initiated', chargedAmount: 0 },
      'forgetsMoney',
      'charged',
    ],
  ])('and %s', (_name, payment, change, ignored, status) => {
    const result = see(payment, change);
    expect(result.ignored).toBe(ignored);
    expect(result.seen.observed?.status ?? null).toBe(status);
    if (payment.observed?.status === status || status === null) expect(result.after).toBe(result.order);
  });

  it('that brings nothing new leaves the same order', () => {
    const known = see(unseen()).after;
    expect(observe(known, 'a', response('a', 'charged', 1000))).toEqual({ record: known, ignored: null });
    expect(observe(known, 'a', response('a', 'charged', 1000)).record).toBe(known);
  });
});

describe('a response about a link', () => {
  const pageOpened = { paymentId: 'pay_a' };
  const expired = observed('expired');
  /** Another payment that was named once, with nothing on it yet. */
  const other = (paymentId: string) => ({ paymentId, observed: observed('initiated', 0, 0) });

  it('adopts the payment that opening the page has made, instead of our expiry', () => {
    expect(
      see(shownLink({}, { observed: expired }), { status: 'awaiting_charge', chargedAmount: 0 }),
    ).toMatchObject({
      ignored: null,
      seen: { opened: { kind: 'link', paymentId: 'pay_a' }, observed: { status: 'awaiting_charge' } },
    });
  });

  it('adopts the payment also where it is otherwise the same as our expiry', () => {
    const { seen } = see(shownLink({}, { observed: expired }), { status: 'expired', chargedAmount: 0 });
    expect(seen).toMatchObject({ opened: pageOpened, observed: expired });
  });

  it('that names another payment counts only when it is repeated', () => {
    const known = shownLink(pageOpened, { observed: observed('awaiting_charge') });
    const other = { paymentId: 'pay_b' };
    const first = see(known, other);
    expect(first.ignored).toBe('otherPayment');
    expect(first.seen).toMatchObject({
      opened: { ...pageOpened, other: { ...other, observed: { status: 'charged' } } },
      observed: known.observed,
    });
    const second = see(first.seen, other);
    expect(second).toMatchObject({ ignored: null, seen: { opened: other, observed: { status: 'charged' } } });
    expect(second.seen.opened).not.toHaveProperty('other');
    expect(see(first.seen, { paymentId: 'pay_c' }).seen).toMatchObject({
      opened: { ...pageOpened, other: { paymentId: 'pay_c' } },
    });
  });

  it('about another payment is merged into what was said of it, also after one about the known payment', () => {
    const known = shownLink(pageOpened, { observed: observed('expired', 0, 100) });
    const [charged, behind] = [
      { paymentId: 'pay_b', status: 'charged', chargedAmount: 1000, updatedAt: at(400) },
      { paymentId: 'pay_b', status: 'expired', chargedAmount: 0, updatedAt: at(300) },
    ];
    const first = see(known, charged).seen;
    const own = see(first, { status: 'expired', chargedAmount: 0, updatedAt: at(100) }).seen;
    const again = see(own, behind);
    expect(again).toMatchObject({
      ignored: 'forgetsMoney',
      seen: { opened: { paymentId: 'pay_b' }, observed: { status: 'charged', chargedAmount: 1000 } },
    });
  });

  it('whose money was reported adopts no other payment', () => {
    const known = shownLink(
      { ...pageOpened, other: other('pay_b') },
      { observed: { ...observed('succeeded', 1000), confirmedAt: at(300) } },
    );
    const charged = { paymentId: 'pay_b', status: 'charged' };
    expect(see(known, charged, 1000)).toMatchObject({
      ignored: 'otherPayment',
      seen: { opened: { paymentId: 'pay_a', other: { observed: { status: 'charged' } } } },
    });
    expect(see(known, charged)).toMatchObject({ ignored: null, seen: { opened: { paymentId: 'pay_b' } } });
  });

  it.each([
    ['currency', { currency: 'USD' }],
    ['mode', { liveMode: true }],
    ['reference', { reference: 'b' }],
  ])('in another %s never replaces what is known', (_name, change) => {
    const known = shownLink(
      { ...pageOpened, other: other('pay_b') },
      { observed: observed('awaiting_charge', 400) },
    );
    const { order, after, ignored } = see(known, { paymentId: 'pay_b', ...change });
    expect(ignored).toBe('otherPayment');
    expect(after).toBe(order);
  });

  it.each([
    ['succeeded', 31, 'pay_b', null],
    ['initiated', 31, 'pay_b', null],
    ['succeeded', 30, 'pay_a', 'otherPayment'],
    ['succeeded', -300, 'pay_a', 'otherPayment'],
  ])(
    'whose money was taken back adopts another payment only of later: %s, %i s after',
    (status, seconds, paymentId, ignored) => {
      const reversed = { ...observed('reversed', 1000), confirmedAt: at(200), reversedAt: at(300) };
      const known = shownLink({ ...pageOpened, other: other('pay_b') }, { observed: reversed });
      const result = see(known, { paymentId: 'pay_b', status, updatedAt: at(300 + seconds) });
      expect(result).toMatchObject({ ignored, seen: { opened: { paymentId } } });
      expect(result.seen.observed).toMatchObject({ reversedAt: at(300) });
    },
  );

  it('of a page that is opened again does not go back to money that was taken back', () => {
    const reversed = { ...observed('reversed', 1000), confirmedAt: at(200), reversedAt: at(300) };
    const known = shownLink({ ...pageOpened, other: other('pay_b') }, { observed: reversed });
    const next = see(known, {
      paymentId: 'pay_b',
      status: 'initiated',
      chargedAmount: 0,
      updatedAt: at(400),
    });
    expect(next.seen.observed).toEqual({ ...observed('initiated', 0, 400), reversedAt: at(300) });
    const stale = { paymentId: 'pay_a', status: 'succeeded', updatedAt: at(200) };
    const again = see(see(next.seen, stale).seen, stale);
    expect(again).toMatchObject({ ignored: 'otherPayment', seen: { opened: { paymentId: 'pay_b' } } });
  });

  it.each([
    ['and was not reported since', 0, null, 'pay_b'],
    ['and was reported again', 1000, 'otherPayment', 'pay_a'],
  ] as const)(
    'with money that came after its money was taken back, %s, adopts another payment with money only then',
    (_name, reported, ignored, paymentId) => {
      const charged = { ...observed('charged', 1000, 500), reversedAt: at(300) };
      const known = shownLink({ ...pageOpened, other: other('pay_b') }, { observed: charged });
      const next = { paymentId: 'pay_b', status: 'awaiting_charge', updatedAt: at(600) };
      expect(see(known, next, reported)).toMatchObject({ ignored, seen: { opened: { paymentId } } });
    },
  );

  it('whose confirmed part was given up adopts another payment', () => {
    const failed = { ...observed('failed', 0), confirmedAt: at(200) };
    const known = shownLink({ ...pageOpened, other: other('pay_b') }, { observed: failed });
    expect(see(known, { paymentId: 'pay_b' }).seen).toMatchObject({ observed: { status: 'charged' } });
  });

  it.each([
    ['failed', 0, 'initiated', 0, null, 'initiated'],
    ['charged', 1000, 'expired', 400, null, 'expired'],
    ['charged', 1000, 'initiated', 0, 'otherPayment', 'charged'],
    ['charged', 1000, 'failed', 0, 'otherPayment', 'charged'],
  ] as const)(
    'known as %s with %i adopts another payment, %s with %i, unless that forgets money',
    (status, amount, next, nextAmount, ignored, expected) => {
      const known = shownLink(
        { ...pageOpened, other: other('pay_b') },
        { observed: observed(status, amount) },
      );
      const result = see(known, { paymentId: 'pay_b', status: next, chargedAmount: nextAmount });
      const paymentId = ignored === null ? 'pay_b' : 'pay_a';
      expect(result).toMatchObject({
        ignored,
        seen: { opened: { paymentId }, observed: { status: expected } },
      });
    },
  );

  it.each([
    ['stated', false, undefined, true, false, 'otherPayment'],
    ['stated', true, undefined, false, true, 'otherPayment'],
    ['assumed', true, true, true, true, null],
    ['assumed', true, true, false, false, null],
    ['assumed', false, true, true, false, 'otherPayment'],
  ] as const)(
    'of a link with a mode that is %s, live %s',
    (_name, liveMode, isModeAssumed, responseMode, expected, ignored) => {
      const link = shownLink({ liveMode, ...(isModeAssumed && { isModeAssumed }) });
      const result = see(link, { liveMode: responseMode });
      const paymentId = ignored === null ? 'pay_a' : null;
      expect(result.seen.opened).toMatchObject({ liveMode: expected, paymentId });
      expect(result.ignored).toBe(ignored);
    },
  );
});

describe('a payment that the service does not know', () => {
  const lost = (payment: Payment, ms: number) => {
    const order = orderOf(payment);
    const after = observeMissing(order, 'a', ms);
    return { order, after, seen: after && (findPayment(after, 'a') as ShownPayment) };
  };

  it('may be known seconds later', () => {
    expect(lost(shown(), openedMs + 9999).after).toBeNull();
    expect(lost(shown(), openedMs + 10_000).seen).toMatchObject({ missingSince: at(10) });
  });

  it('is marked once', () => {
    const { order, after } = lost(shown({ missingSince: at(10) }), openedMs + 9999);
    expect(after).toBe(order);
  });

  it.each([opening(), unseen()])('is nothing that a shopper has seen: $state', (payment) => {
    const { order, after } = lost(payment, openedMs + 60_000);
    expect(after).toBe(order);
    expect(observeMissing(order, 'b', openedMs + 60_000)).toBe(order);
  });

  it('is a link that has expired without being opened, five seconds late', () => {
    const open = lost(shownLink(), expiresMs + 5000);
    expect(open.after).toBe(open.order);
    expect(lost(shownLink(), expiresMs + 5001).seen).toMatchObject({
      missingSince: null,
      observed: { status: 'expired', chargedAmount: 0, expectedAmount: 1000, updatedAt: at(1800) },
    });
    const again = lost(shownLink({}, { observed: observed('expired') }), expiresMs + 5001);
    expect(again.after).toBe(again.order);
  });

  it('is missing where its page was opened', () => {
    expect(lost(shownLink({ paymentId: 'pay_a' }), expiresMs).seen).toMatchObject({
      observed: null,
      missingSince: at(1800),
    });
    expect([shown(), shownLink(), shownLink({ paymentId: 'pay_a' })].map(isUnopenedLink)).toEqual([
      false,
      true,
      false,
    ]);
    expect(isShown(undefined)).toBe(false);
  });
});

describe('an amount of the service', () => {
  const said: ServicePayment = {
    ...{ id: 'pay_a', reference: 'a', currency: 'NGN', status: 'charged', liveMode: false },
    ...{ expectedAmount: 1000, chargedAmount: 950, fee: 40, vat: 5, emtl: 5, updatedAt: at(0) },
  };
  const net = { ...defaultDialect, chargedAmountBasis: 'net' } as const;
  const amountOf = (change: Partial<ServicePayment>, dialect = defaultDialect) =>
    readResponse({ ...said, ...change }, dialect).chargedAmount;

  it('includes the fees, or they are added', () => {
    expect(amountOf({})).toBe(950);
    expect(amountOf({}, net)).toBe(1000);
    expect(amountOf({ vat: null, emtl: undefined }, net)).toBe(990);
  });

  it.each([
    ['no amount', { chargedAmount: null }, null],
    ['no money', { chargedAmount: 0 }, 0],
    ['a reversal', { status: 'reversed', chargedAmount: 950 }, 950],
  ])('of %s has no fees', (_name, change, expected) => {
    expect(amountOf(change, net)).toBe(expected);
  });

  it('of a response is read with all that decides', () => {
    expect(readResponse(said, defaultDialect)).toEqual({
      ...response('a', 'charged', 950),
      updatedAt: at(0),
    });
  });

  it('that is missing leaves the known one, and confirms nothing', () => {
    const known = observed('charged', 700);
    expect(toObservation(response('a', 'charged', null), known)).toEqual(observed('charged', 700));
    expect(toObservation(response('a', 'charged', null), null)).toEqual(observed('charged', 0));
    expect(toObservation(response('a', 'succeeded', null), known)).toEqual(observed('charged', 700));
    expect(toObservation(response('a', 'succeeded', 800), known)).toEqual(observed('succeeded', 800));
    expect(toObservation(response('a', 'reversed', null), known)).toEqual(observed('reversed', 700));
  });
});
