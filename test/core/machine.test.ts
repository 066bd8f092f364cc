import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CheckoutError,
  type CheckoutErrorCode,
  checkoutErrorStatus,
  type Outcome,
  outcomes,
  paymentStatuses,
} from '../../src/contract/index.ts';
import { initialState, isFinal, paymentOf, type State, transition } from '../../src/core/machine.ts';
import { clientSecret, sessionOf, viewOf } from './views.ts';

const names = ['loading', 'awaitingTransfer', 'confirming', 'succeeded', 'expired', 'failed', 'unavailable'];
const statuses = [...paymentStatuses, 'brand_new_status', ''];

const stateOf = (changes: Parameters<typeof viewOf>[0] = {}): State =>
  transition(initialState, { type: 'sessionReceived', session: sessionOf(changes) })[0];

/** One state of every kind that shows a payment. */
const shown: State[] = outcomes.flatMap((outcome) => statuses.map((status) => stateOf({ outcome, status })));

const expectedName = (outcome: Outcome, status: string): string => {
  if (outcome === 'pending')
    return ['charged', 'succeeded'].includes(status) ? 'confirming' : 'awaitingTransfer';
  if (outcome === 'paid') return 'succeeded';
  return outcome === 'expired' || outcome === 'replaced' ? 'expired' : 'failed';
};

describe('a view', () => {
  const table = outcomes.flatMap((outcome) => statuses.map((status) => [outcome, status] as const));

  it.each(table)(
    'of outcome %s with status "%s" is shown as it should, whatever was shown before',
    (outcome, status) => {
      const view = viewOf({ outcome, status });
      for (const before of shown) {
        const [state] = transition(before, { type: 'viewReceived', view });
        expect(state).toEqual({ name: expectedName(outcome, status), payment: view, connection: 'ok' });
      }
    },
  );

  it('says succeeded and is no success as long as its outcome is not paid', () => {
    for (const outcome of outcomes.filter((one) => one !== 'paid')) {
      expect(stateOf({ status: 'succeeded', outcome }).name).not.toBe('succeeded');
    }
  });

  it('that comes when there is no session changes nothing', () => {
    const unavailable: State = { name: 'unavailable', code: 'forbidden' };
    for (const state of [initialState, unavailable]) {
      expect(transition(state, { type: 'viewReceived', view: viewOf({ outcome: 'paid' }) })).toEqual([
        state,
        [],
      ]);
    }
  });

  it('that is paid is announced once, however often it comes', () => {
    const paid = viewOf({ outcome: 'paid', status: 'succeeded' });
    const [succeeded, effects] = transition(stateOf(), { type: 'viewReceived', view: paid });
    expect(effects).toEqual([{ type: 'announcePaid', payment: paid }]);
    expect(transition(succeeded, { type: 'viewReceived', view: paid })[1]).toEqual([]);
  });

  it('in any sequence gives one of the seven states, and success exactly when the last outcome is paid', () => {
    const anyView = fc.record({
      outcome: fc.constantFrom(...outcomes),
      status: fc.oneof(fc.constantFrom(...statuses), fc.string()),
      chargedAmount: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(anyView, { minLength: 1 }), (views) => {
        let state = stateOf();
        for (const changes of views) {
          [state] = transition(state, { type: 'viewReceived', view: viewOf(changes) });
          expect(names).toContain(state.name);
          expect(state.name === 'succeeded').toBe(changes.outcome === 'paid');
        }
      }),
    );
  });
});

describe('any events in any order', () => {
  it('never throw, never leave the seven states, and never lose the reference', () => {
    const code = fc.constantFrom(...(Object.keys(checkoutErrorStatus) as CheckoutErrorCode[]));
    const error = code.map((one) => new CheckoutError(one));
    const view = fc.constantFrom(...outcomes).map((outcome) => viewOf({ outcome }));
    const event = fc.oneof(
      fc.constant({ type: 'started' as const }),
      fc.constant({ type: 'unchanged' as const }),
      view.map((one) => ({ type: 'viewReceived' as const, view: one })),
      view.map((one) => ({ type: 'sessionReceived' as const, session: { ...one, clientSecret } })),
      error.map((one) => ({ type: 'createFailed' as const, error: one })),
      error.map((one) => ({ type: 'lookFailed' as const, error: one })),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state: State = initialState;
        let wasShown = false;
        for (const one of events) {
          [state] = transition(state, one);
          wasShown ||= 'payment' in state;
          expect(names).toContain(state.name);
          expect(paymentOf(state)?.reference).toBe(wasShown ? 'order-1001-1' : undefined);
        }
      }),
    );
  });
});

describe('a session', () => {
  it('is watched', () => {
    const session = sessionOf();
    expect(transition(initialState, { type: 'sessionReceived', session })[1]).toEqual([
      { type: 'watch', session },
    ]);
  });

  it('leaves its secret out of the state', () => {
    expect(JSON.stringify(stateOf())).not.toContain(clientSecret);
  });
});

describe('making a session', () => {
  const fail = (state: State, code: CheckoutErrorCode) =>
    transition(state, { type: 'createFailed', error: new CheckoutError(code) });

  it.each(['network_error', 'rate_limited', 'internal_error', 'service_unavailable'] as const)(
    'is tried again after %s, and given up after five times',
    (code) => {
      let state: State = initialState;
      for (const failures of [1, 2, 3, 4]) {
        const [next, effects] = fail(state, code);
        expect(next).toMatchObject({ name: 'loading', failures });
        expect(effects).toMatchObject([{ type: 'createSession', failures, after: { code } }]);
        state = next;
      }
      const [next, effects] = fail(state, code);
      expect(next).toMatchObject({ name: 'unavailable', code });
      expect(effects).toMatchObject([{ type: 'reportError', error: { code } }]);
    },
  );

  it.each([
    'forbidden',
    'invalid_request',
    'contract_unsupported',
    'service_rejected',
    'invalid_response',
  ] as const)('ends at once after %s', (code) => {
    expect(fail(initialState, code)[0]).toMatchObject({ name: 'unavailable', code });
  });

  it('anew stops the watch of the old payment and keeps its reference', () => {
    const [state, effects] = transition(stateOf({ outcome: 'expired' }), { type: 'started' });
    expect(effects.map(({ type }) => type)).toEqual(['stopWatching', 'createSession']);
    expect(fail(state, 'forbidden')[0]).toMatchObject({ previous: { reference: 'order-1001-1' } });
  });
});

describe('a look that fails', () => {
  const fail = (code: CheckoutErrorCode) =>
    transition(stateOf(), { type: 'lookFailed', error: new CheckoutError(code) });

  it.each([
    'network_error',
    'rate_limited',
    'service_unavailable',
    'service_rejected',
    'invalid_response',
  ] as const)('with %s leaves the account on the screen, as retrying, and tells nobody', (code) => {
    expect(fail(code)).toEqual([{ name: 'awaitingTransfer', payment: viewOf(), connection: 'retrying' }, []]);
  });

  it.each(['session_unauthorized', 'not_found', 'contract_unsupported', 'load_failed'] as const)(
    'with %s leaves the account on the screen, as lost, and tells the page',
    (code) => {
      const [state, effects] = fail(code);
      expect(state).toEqual({ name: 'awaitingTransfer', payment: viewOf(), connection: 'lost' });
      expect(effects).toMatchObject([{ type: 'reportError', error: { code } }]);
    },
  );

  it('is forgotten when the next one gets an answer', () => {
    const [retrying] = fail('network_error');
    expect(transition(retrying, { type: 'unchanged' })[0]).toMatchObject({ connection: 'ok' });
  });
});

describe('an outcome', () => {
  it('is final when nothing better can follow on this page', () => {
    expect(outcomes.filter(isFinal)).toEqual(['paid', 'amountMismatch', 'failed', 'reversed', 'replaced']);
  });
});
