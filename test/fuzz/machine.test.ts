import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  CheckoutError,
  type CheckoutErrorCode,
  checkoutErrorStatus,
  outcomes,
  type PaymentView,
  paymentStatuses,
} from '../../src/contract/index.ts';
import { type Effect, type Event, transition } from '../../src/core/machine.ts';
import { initialState, isPaid, paymentOf, type State } from '../../src/core/state.ts';
import { clientSecret, stateNames, viewOf } from '../core/views.ts';
import { anyText } from './arbitraries.ts';
import { fuzz } from './fuzz.ts';

const anyView: fc.Arbitrary<PaymentView> = fc
  .record(
    {
      reference: fc.constantFrom('order-1001-1', 'order-1001-2'),
      paymentReference: fc.constantFrom('order-1001-1', 'order-1001-2'),
      outcome: fc.constantFrom(...outcomes, 'unclear' as const),
      status: fc.oneof(fc.constantFrom(...paymentStatuses), anyText),
      chargedAmount: fc.oneof(fc.constantFrom(0, 1, 1_250_000), fc.maxSafeNat()),
      receivedLate: fc.boolean(),
      authorizationUrl: fc.constant('https://pay.example/1'),
    },
    { requiredKeys: [] },
  )
  .map(viewOf);

const anyError = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...(Object.keys(checkoutErrorStatus) as CheckoutErrorCode[])),
      fc.constant<CheckoutErrorCode>('session_unauthorized'),
    ),
    fc.option(fc.nat(9000), { nil: undefined }),
  )
  .map(([code, retryAfterSeconds]) => new CheckoutError(code, code, { retryAfterSeconds }));
const stored = fc.record({
  reference: fc.constantFrom('order-1001-1', 'order-1001-2'),
  isClaimed: fc.boolean(),
});
const plain = [
  'started',
  'unchanged',
  'checkRequested',
  'claimed',
  'withdrawn',
  'wentOffline',
  'cameOnline',
] as const;

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.constantFrom(...plain).map((type): Event => ({ type })),
  stored.map((one): Event => ({ type: 'storedFound', stored: one })),
  anyView.map((view): Event => ({ type: 'viewReceived', view })),
  anyView.map(
    (view): Event => ({ type: 'sessionReceived', session: { ...view, clientSecret }, etag: '"a"' }),
  ),
  fc
    .tuple(anyError, fc.option(stored, { nil: undefined }))
    .map(([error, one]): Event => ({ type: 'createFailed', error, stored: one })),
  anyError.map((error): Event => ({ type: 'checkFailed', error })),
);
const clocks = fc.record({ nowMs: fc.nat(), serviceTimeMs: fc.maxSafeNat() }, { requiredKeys: [] });

/** The account may be paid into only while the server says that the payment is pending and accepts the secret. */
function expectLegal(state: State): void {
  expect(stateNames).toContain(state.name);
  expect(JSON.stringify(state)).not.toContain(clientSecret);
  if (!('payment' in state)) return;
  const { name, payment, connection } = state;
  if (name === 'awaitingTransfer' || name === 'partlyPaid') {
    expect(payment.outcome).toBe('pending');
    expect(connection).not.toBe('refused');
  }
  expect(isPaid(state)).toBe(payment.outcome === 'paid');
}

function expectLegalEffects(before: State, event: Event, state: State, effects: readonly Effect[]): void {
  const requests = effects.filter((effect) => effect.type === 'createSession');
  expect(requests.length).toBeLessThanOrEqual(1);
  for (const { preference } of requests) {
    // Only the shopper asks for another account; a payment that is shown is renewed, never replaced.
    if ('payment' in before && event.type !== 'started') expect(preference).toBe('existing');
    else expect(preference).toBe(paymentOf(before) && 'new');
  }
  for (const effect of effects)
    if (effect.type === 'watch') expect(effect.session.reference).toBe(paymentOf(state)?.reference);
}

describe('any events, in any order', () => {
  fuzz(
    'keep the state legal, and request another account only for the shopper',
    fc.array(fc.tuple(anyEvent, clocks), { maxLength: 30 }),
    (events) => {
      let state = initialState;
      for (const [event, times] of events) {
        const [next, effects] = transition(state, event, times);
        expectLegal(next);
        expectLegalEffects(state, event, next, effects);
        const isOther = event.type === 'viewReceived' && 'payment' in state;
        // Another order never takes the place of the one that is shown, but by a session that the shopper has asked for.
        if (!isOther && 'payment' in state && 'payment' in next)
          expect(next.payment.reference).toBe(state.payment.reference);
        state = next;
      }
    },
  );
});
