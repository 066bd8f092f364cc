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

const none = { status: 'awaiting_charge', chargedAmount: 0 };
const initiated = { status: 'initiated', chargedAmount: 0 };
const opened = { paymentId: 'pay_a' };
const other = { paymentId: 'pay_b' };
const named = (known: ShownPayment['observed']) => shownLink(opened, { observed: known });
/** What is recorded of a payment whose whole money is charged. */
const charged = { ...observed('charged', 1000), confirmingSince: at(300) };

const takenBack = { ...observed('reversed', 1000, 290), reversedAt: at(290) };
const assumed = shownLink({ ...opened, liveMode: true, isModeAssumed: true });

describe('a response', () => {
  it('about an account is recorded', () => {
    expect(see(shown())).toMatchObject({ seen: shown({ observed: charged }), ignored: null });
  });

  it('is judged by what the payment costs', () => {
    const known = shown({ observed: observed('succeeded', 1000), amount: { value: 1001, currency: 'NGN' } });
    expect(see(known, { ...none, updatedAt: at(400) }).ignored).toBeNull();
  });

  it.each<[string, Payment, object, string | null]>([
    ['has another reference', shown(), { reference: 'b' }, 'otherPayment'],
    ['has another mode', shown(), { liveMode: true }, 'otherPayment'],
    ['has another currency', shown(), { currency: 'USD' }, 'otherPayment'],
    ['is about a link, and has another reference', named(null), { ...other, reference: 'b' }, 'otherPayment'],
    ['is about a link, and has another mode', named(null), { ...other, liveMode: true }, 'otherPayment'],
    ['is about a link, and has another currency', named(null), { ...other, currency: 'USD' }, 'otherPayment'],
    ['brings nothing new', shown({ observed: charged }), {}, null],
    ['is older', shown({ observed: charged }), initiated, 'older'],
    ['is about a payment that is not shown yet', opening(), {}, null],
    ['is about another payment', shown({ reference: 'b' }), {}, null],
    ['has no money for a payment that was closed unseen', unseen(), none, null],
    ['has its end without money', unseen(), { status: 'failed', chargedAmount: 0 }, null],
    ['has another reference than one that was closed unseen', unseen(), { reference: 'b' }, 'otherPayment'],
    ['has another currency than that', unseen(), { currency: 'USD' }, 'otherPayment'],
    ['is older than what is known of that', unseen({ observed: charged }), initiated, 'older'],
    ['has another mode than a link whose payment is known', assumed, {}, 'otherPayment'],
    [
      'is as old as the known one of a link',
      named(observed('expired')),
      { ...other, ...none },
      'otherPayment',
    ],
    ['is of another payment of a link, seconds after a reversal', named(takenBack), other, 'afterReversal'],
  ])('leaves the same order if it %s', (_name, payment, change, reason) => {
    const { order, after, ignored } = see(payment, change);
    expect(ignored).toBe(reason);
    expect(after).toBe(order);
  });

  const known = shown({ observed: charged });
  it.each<[string, ShownPayment, object, string | null]>([
    ['brings nothing new', known, {}, null],
    ['is ignored', known, initiated, 'older'],
    ['is of another payment, seconds after a reversal', named(takenBack), other, 'afterReversal'],
  ])('clears the mark of a payment that was missing, also where it %s', (_name, payment, change, ignored) => {
    const { seen, ...result } = see({ ...payment, missingSince: at(400) }, change);
    expect(seen).toEqual(payment);
    expect(result.ignored).toBe(ignored);
  });

  it.each<[string, Payment, object, string]>([
    ['money', unseen(), {}, 'charged'],
    ['another id and mode', unseen(), { ...other, liveMode: true }, 'charged'],
    ['no money any more', unseen({ observed: charged }), { status: 'failed', updatedAt: at(500) }, 'failed'],
  ])('about one that was closed unseen is recorded with %s', (_name, payment, change, status) => {
    expect(see(payment, change)).toMatchObject({
      ignored: null,
      seen: { opened: null, observed: { status } },
    });
  });
});

describe('a response about a link', () => {
  it.each(['awaiting_charge', 'expired'])('is about its page’s payment, not our expiry: %s', (status) => {
    const known = shownLink({}, { observed: observed('expired', 0, 1800) });
    const expected = { seen: { opened, observed: { status } }, ignored: null };
    expect(see(known, { status, chargedAmount: 0 })).toMatchObject(expected);
  });

  it.each<[string, number, Observation | null, number, string | null]>([
    ['initiated', 0, null, 0, null],
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
      const { seen, ...result } = see(named(known), next, reported);
      const expected = ignored === null ? [other, status] : [opened, known?.status];
      expect([seen.opened, seen.observed?.status, result]).toMatchObject([...expected, { ignored }]);
      expect(seen.otherId).toBe(ignored === null ? undefined : other.paymentId);
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
    return { after, isSame: after === order, seen: after && (findPayment(after, 'a') as ShownPayment) };
  };

  it('may be known seconds later', () => {
    expect(lost(shown(), openedMs + 9999).after).toBeNull();
    expect(lost(shown(), openedMs + 10_000).seen).toMatchObject({ missingSince: at(10) });
  });

  it.each<[string, Payment, number]>([
    ['is marked', shown({ missingSince: at(10) }), openedMs + 9999],
    ['is being opened', opening(), openedMs + 60_000],
    ['was closed unseen', unseen(), openedMs + 60_000],
    ['is another one', shown({ reference: 'b' }), openedMs + 60_000],
    ['is a link that may just have expired', shownLink(), expiresMs + 5000],
    ['is an expired link', shownLink({}, { observed: observed('expired') }), expiresMs + 5001],
  ])('stays as it is if it %s', (_name, payment, ms) => {
    expect(lost(payment, ms).isSame).toBe(true);
  });

  it('is a link that has expired without being opened, five seconds late', () => {
    expect(lost(shownLink(), expiresMs + 5001).seen).toMatchObject({
      missingSince: null,
      observed: { status: 'expired', chargedAmount: 0, expectedAmount: 1000, updatedAt: at(1800) },
    });
  });

  it('is missing where its page was opened', () => {
    const seen = { observed: null, missingSince: at(1800) };
    expect(lost(shownLink(opened), expiresMs).seen).toMatchObject(seen);
    expect([shown(), shownLink(), shownLink(opened)].map(isUnopenedLink)).toEqual([false, true, false]);
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
