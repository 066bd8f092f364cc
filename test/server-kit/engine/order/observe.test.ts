import { describe, expect, it } from 'vitest';
import type { Payment as ServicePayment } from '../../../../server-kit/core/endpoints.ts';
import {
  isUnopenedLink,
  observe,
  observeMissing,
  readResponse,
  toObservation,
} from '../../../../server-kit/engine/order/observe.ts';
import {
  findPayment,
  isShown,
  type Observation,
  type Payment,
  type ShownPayment,
} from '../../../../server-kit/engine/order/record.ts';
import { createDialect } from '../../../../server-kit/service/dialect.ts';
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

  it('is judged by what the payment costs', () => {
    const known = shown({ observed: observed('succeeded', 1000), amount: { value: 1001, currency: 'NGN' } });
    expect(
      see(known, { status: 'awaiting_charge', chargedAmount: 0, updatedAt: at(400) }).ignored,
    ).toBeNull();
  });

  it.each([
    ['reference', { reference: 'b' }],
    ['mode', { liveMode: true }],
    ['currency', { currency: 'USD' }],
  ])('is ignored if it has another %s', (_name, change) => {
    const { order, after, ignored } = see(shown(), change);
    expect(ignored).toBe('otherPayment');
    expect(after).toBe(order);
  });

  it('leaves the same order if it brings nothing new, or is ignored', () => {
    const known = see(shown()).after;
    expect(observe(known, 'a', response('a', 'charged', 1000)).record).toBe(known);
    expect(observe(known, 'a', response('a', 'initiated')).record).toBe(known);
  });

  it.each([
    ['brings nothing new', {}, null],
    ['is ignored', { status: 'initiated', chargedAmount: 0 }, 'older'],
  ])('clears the mark of a payment that was missing, also where it %s', (_name, change, reason) => {
    const known = shown({ observed: see(shown()).seen.observed, missingSince: at(400) });
    expect(see(known, change)).toMatchObject({ seen: { ...known, missingSince: null }, ignored: reason });
  });

  it('says nothing of a payment that is not shown yet, or not known', () => {
    const order = orderOf(opening());
    expect(observe(order, 'a', response('a', 'charged', 1000))).toEqual({ record: order, ignored: null });
    expect(observe(order, 'b', response('b', 'charged', 1000))).toEqual({ record: order, ignored: null });
  });
});

describe('a response about a payment that was closed unseen', () => {
  const noMoney = { status: 'awaiting_charge', chargedAmount: 0 };
  const failed = { status: 'failed', chargedAmount: 0 };
  const charged = unseen({ observed: observed('charged', 1000, 400) });
  it.each([
    ['no money', unseen(), noMoney, null, null],
    ['money', unseen(), {}, null, 'charged'],
    ['an end without money', unseen(), failed, null, null],
    ['another reference', unseen(), { reference: 'b' }, 'otherPayment', null],
    ['another currency', unseen(), { currency: 'USD' }, 'otherPayment', null],
    ['another id and mode', unseen(), { paymentId: 'pay_b', liveMode: true }, null, 'charged'],
    ['no money any more', charged, { ...failed, updatedAt: at(500) }, null, 'failed'],
    ['what is older', charged, { status: 'initiated', chargedAmount: 0 }, 'older', 'charged'],
  ])('is recorded only when it brings money to know of: %s', (_name, payment, change, ignored, status) => {
    const result = see(payment, change);
    expect([result.ignored, result.seen.observed?.status ?? null]).toEqual([ignored, status]);
    if (payment.observed?.status === status || status === null) expect(result.after).toBe(result.order);
    expect(see(result.seen, change).after).toEqual(result.after);
  });
});

describe('a response about a link', () => {
  const pageOpened = { paymentId: 'pay_a' };
  const other = { paymentId: 'pay_b' };
  const named = (known: ShownPayment['observed']) => shownLink(pageOpened, { observed: known });

  it.each(['awaiting_charge', 'expired'])('is about its page’s payment, not our expiry: %s', (status) => {
    const { seen, ignored } = see(shownLink({}, { observed: observed('expired', 0, 1800) }), {
      status,
      chargedAmount: 0,
    });
    expect([seen.opened, seen.observed?.status, ignored]).toMatchObject([pageOpened, status, null]);
  });

  it.each([{ currency: 'USD' }, { liveMode: true }, { reference: 'b' }])(
    'replaces nothing if it has %j',
    (change) => {
      const { order, after, ignored } = see(named(observed('awaiting_charge', 400)), { ...other, ...change });
      expect(ignored).toBe('otherPayment');
      expect(after).toBe(order);
    },
  );

  it.each<[string, number, Observation | null, number, string | null]>([
    ['initiated', 0, observed('expired', 0, 500), 0, null],
    ['initiated', 0, observed('reversed', 1000, 500), 0, null],
    ['charged', 400, observed('charged', 400, 500), 0, null],
    ['charged', 1000, observed('charged', 400, 500), 0, null],
    ['charged', 399, observed('charged', 400, 500), 0, 'otherPayment'],
    ['failed', 0, observed('charged', 1000, 500), 0, 'otherPayment'],
    ['charged', 1000, observed('expired', 400, 500), 400, 'otherPayment'],
    ['succeeded', 1000, observed('expired', 400, 500), 400, null],
    ['succeeded', 1000, observed('succeeded', 1000, 500), 1000, 'otherPayment'],
  ])(
    'lowers no money that was seen: %s with %i on another payment, after %o of which %i was reported',
    (status, chargedAmount, known, reported, ignored) => {
      const next = { ...other, status, chargedAmount, updatedAt: at(600) };
      const result = see(named(known), next, reported);
      const expected = ignored === null ? [other, status] : [pageOpened, known?.status];
      expect(result.ignored).toBe(ignored);
      expect(result.seen.otherId).toBe(ignored === null ? undefined : other.paymentId);
      expect([result.seen.opened, result.seen.observed?.status]).toMatchObject(expected);
    },
  );

  it.each<[string, Observation, number, number]>([
    ['earlier, after money was taken back', observed('failed', 0, 500), 0, 499],
    ['later, and a part, while reported money is there', observed('charged', 1, 500), 1, 600],
  ])('is not replaced by another one with a date that is: %s', (_name, known, reported, seconds) => {
    const next = { ...other, status: 'expired', chargedAmount: 1, updatedAt: at(seconds) };
    expect(see(named(known), next, reported).ignored).toBe('otherPayment');
  });

  it.each([
    ['stated', false, undefined, true, false, 'otherPayment'],
    ['stated', true, undefined, false, true, 'otherPayment'],
    ['assumed', true, true, true, true, null],
    ['assumed', true, true, false, false, null],
    ['assumed', false, true, true, false, 'otherPayment'],
  ] as const)(
    'may correct the mode only where it was assumed: %s, live %s',
    (_name, liveMode, isModeAssumed, said, expected, ignored) => {
      const { seen, ...result } = see(shownLink({ liveMode, ...(isModeAssumed && { isModeAssumed }) }), {
        liveMode: said,
      });
      const paymentId = ignored === null ? 'pay_a' : null;
      expect([result.ignored, seen.opened]).toMatchObject([ignored, { liveMode: expected, paymentId }]);
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
    id: 'pay_a',
    reference: 'a',
    currency: 'NGN',
    status: 'charged',
    liveMode: false,
    expectedAmount: 1000,
    chargedAmount: 950,
    fee: 40,
    vat: 5,
    emtl: 5,
    updatedAt: at(0),
  };
  const { fromWire } = createDialect({ chargedAmountBasis: 'net' });
  const amountOf = (change: Partial<ServicePayment>) => readResponse({ ...said, ...change }).chargedAmount;
  const netAmountOf = (change: Partial<ServicePayment>) =>
    amountOf(fromWire({ ...said, ...change }, ['chargedAmount']) as ServicePayment);

  it('includes the fees, or they are added', () => {
    expect(amountOf({})).toBe(950);
    expect(netAmountOf({})).toBe(1000);
    expect(netAmountOf({ vat: null, emtl: undefined })).toBe(990);
  });

  it.each([
    ['no amount', { chargedAmount: null }, null],
    ['no money', { chargedAmount: 0 }, 0],
    ['a reversal', { status: 'reversed', chargedAmount: 950 }, 950],
  ])('has no fees where the response has %s', (_name, change, expected) => {
    expect(netAmountOf(change)).toBe(expected);
  });

  it.each<[status: string, known: Observation | null, expected: Observation]>([
    ['charged', observed('charged', 700), observed('charged', 700)],
    ['succeeded', observed('charged', 700), observed('charged', 700)],
    ['succeeded', observed('awaiting_charge', 400), observed('awaiting_charge', 400)],
    ['failed', observed('charged', 700), observed('charged', 700)],
    ['expired', observed('charged', 700), observed('charged', 700)],
    ['expired', observed('expired', 400), observed('expired', 400)],
    ['reversed', observed('charged', 700), observed('reversed', 700, 600)],
    ['expired', observed('reversed', 400), observed('expired', 0, 600)],
    ['awaiting_charge', observed('reversed', 400), observed('awaiting_charge', 0, 600)],
    ['expired', observed('awaiting_charge'), observed('expired', 0, 600)],
    ['failed', observed('awaiting_charge'), observed('failed', 0, 600)],
    ['charged', observed('awaiting_charge'), observed('charged', 0, 600)],
    ['succeeded', observed('awaiting_charge'), observed('charged', 0, 600)],
    ['succeeded', null, observed('charged', 0, 600)],
    ['expired', null, observed('expired', 0, 600)],
  ])(
    'that is not named by %s says nothing new of known money, and confirms none: %o',
    (status, known, expected) => {
      expect(toObservation(response('a', status, null, 600), known)).toEqual(expected);
    },
  );
});
