import { describe, expect, it } from 'vitest';
import {
  CheckoutError,
  type CheckoutErrorCode,
  notFoundStatus,
  outcomes,
  type PaymentView,
  paymentStatuses,
} from '../../src/contract/index.ts';
import { type Event, transition } from '../../src/core/machine.ts';
import { initialState, knownReference, paymentOf, type State } from '../../src/core/state.ts';
import { sessionOf, viewOf } from './views.ts';

const seen = [...outcomes, 'unclear'] as const;
const statuses = [...paymentStatuses, notFoundStatus, 'brand_new_status', ''];

const stateOf = (changes: Parameters<typeof viewOf>[0] = {}): State =>
  transition(initialState, { type: 'sessionReceived', session: sessionOf(changes) })[0];

const stored = { reference: 'order-1001-1', isClaimed: true };
const storedFound: Event = { type: 'storedFound', stored };

/** One state of every kind that shows a payment. */
const shown = seen.flatMap((outcome) => statuses.map((status) => stateOf({ outcome, status })));

const expectedName = (outcome: PaymentView['outcome'], status: string): string => {
  if (outcome === 'pending') {
    if (['charged', 'succeeded'].includes(status)) return 'confirming';
    return ['initiated', 'awaiting_charge'].includes(status) ? 'awaitingTransfer' : 'checking';
  }
  if (outcome === 'unclear') return 'checking';
  if (outcome === 'paid') return 'succeeded';
  if (outcome === 'reversed') return 'reversed';
  return outcome === 'expired' || outcome === 'replaced' ? 'expired' : 'failed';
};

const see = (state: State, changes: Partial<PaymentView>): State =>
  transition(state, { type: 'viewReceived', view: viewOf(changes) })[0];

describe('a view', () => {
  const table = seen.flatMap((outcome) => statuses.map((status) => [outcome, status] as const));

  it.each(table)('is shown with outcome %s and status "%s", whatever was shown before', (outcome, status) => {
    const view = viewOf({ outcome, status });
    for (const before of shown) {
      const [state] = transition(before, { type: 'viewReceived', view });
      expect(state).toMatchObject({ name: expectedName(outcome, status), payment: view, connection: 'ok' });
    }
  });

  it.each<[Partial<PaymentView>, string]>([
    [{ chargedAmount: 500_000 }, 'partlyPaid'],
    [{ chargedAmount: 500_000, status: 'charged' }, 'partlyPaid'],
    [{ chargedAmount: 500_000, status: 'succeeded' }, 'confirming'],
    [{ chargedAmount: 1_250_000 }, 'confirming'],
    [{ outcome: 'paid', receivedLate: true }, 'receivedLate'],
    [{ outcome: 'paid', receivedLate: false }, 'succeeded'],
    [{ outcome: 'reversed', receivedLate: true }, 'reversed'],
  ])('is shown as $1: %j', (changes, name) => {
    expect(stateOf(changes).name).toBe(name);
  });
});

it("keeps the session's text of the QR code for the same account, until money comes", () => {
  const session = { ...sessionOf(), qrText: '000201' };
  const first = transition(initialState, { type: 'sessionReceived', session })[0];
  const qrTextAfter = (...views: Partial<PaymentView>[]) => paymentOf(views.reduce(see, first));
  expect(qrTextAfter({ status: 'initiated' }, {})).toHaveProperty('qrText', '000201');
  expect(qrTextAfter({ chargedAmount: 500 }, { chargedAmount: 500 })).not.toHaveProperty('qrText');
  const account = { ...session.account, number: '9000000001' };
  expect(qrTextAfter({ account })).not.toHaveProperty('qrText');
});

describe('an event that is too late for its state', () => {
  const unavailable: State = { name: 'unavailable', code: 'forbidden', failures: 1 };
  const error = new CheckoutError('not_found');

  it.each<[string, State, Event]>([
    ['a network that is back, while no session can be had', unavailable, { type: 'cameOnline' }],
    ['a failed check, once paid', stateOf({ outcome: 'paid' }), { type: 'checkFailed', error }],
  ])('changes nothing: %s', (_what, state, event) => {
    const [next, effects] = transition(state, event);
    expect(next).toMatchObject(state);
    expect(effects).toEqual([]);
  });
});

describe('creating a session', () => {
  const fail = (state: State, code: CheckoutErrorCode) =>
    transition(state, { type: 'createFailed', error: new CheckoutError(code) });

  it.each(['network_error', 'rate_limited', 'internal_error', 'service_unavailable'] as const)(
    'is retried after %s, without end, and counts as failed after five attempts',
    (code) => {
      let state: State = initialState;
      for (const failures of [1, 2, 3, 4]) {
        const [next, effects] = fail(state, code);
        expect(next).toMatchObject({ name: 'loading', failures });
        expect(effects).toMatchObject([{ type: 'createSession', failures, after: { code } }]);
        state = next;
      }
      const [unavailable, effects] = fail(state, code);
      const retry = { type: 'createSession', failures: 5, after: { code } };
      expect(unavailable).toMatchObject({ name: 'unavailable', code });
      expect(effects).toMatchObject([{ type: 'reportError', error: { code } }, retry]);
      const [still, more] = fail(unavailable, code);
      expect(still).toMatchObject({ name: 'unavailable', code, failures: 6 });
      expect(more).toMatchObject([{ ...retry, failures: 6 }]);
      const [shown] = transition(still, { type: 'sessionReceived', session: sessionOf() });
      expect(shown.name).toBe('awaitingTransfer');
    },
  );

  it.each(['forbidden', 'session_unauthorized', 'invalid_request', 'contract_unsupported'] as const)(
    'fails for good after %s',
    (code) => {
      const error = new CheckoutError(code);
      for (const before of [initialState, fail(initialState, 'service_rejected')[0]]) {
        const [state, effects] = transition(before, { type: 'createFailed', error });
        expect(state).toMatchObject({ name: 'unavailable', code });
        expect(effects).toEqual([{ type: 'reportError', error }]);
      }
    },
  );

  it('asks for any payment first, and for another one once a payment was shown', () => {
    const request = (state: State) => transition(state, { type: 'started' });
    expect(request(initialState)[1].at(-1)).toMatchObject({ preference: undefined });
    const [again, effects] = request(stateOf({ outcome: 'expired' }));
    expect(effects.at(-1)).toMatchObject({ preference: 'new' });
    const [failed, retry] = fail(again, 'network_error');
    expect(retry).toMatchObject([{ preference: 'new' }]);
    expect(request(failed)[1].at(-1)).toMatchObject({ preference: 'new' });
  });
});

describe('a failed check', () => {
  const fail = (code: CheckoutErrorCode) =>
    transition(stateOf(), { type: 'checkFailed', error: new CheckoutError(code) });

  it.each([
    ['network_error', 'retrying'],
    // A network that wants a sign-in responds with its own page.
    ['invalid_response', 'retrying'],
    ['rate_limited', 'failing'],
    ['service_unavailable', 'failing'],
    ['internal_error', 'failing'],
    ['service_rejected', 'failing'],
  ] as const)(
    'keeps the account on the screen, and reports nothing, after %s: the connection is %s',
    (code, connection) => {
      expect(fail(code)).toMatchObject([{ name: 'awaitingTransfer', payment: viewOf(), connection }, []]);
    },
  );

  it.each(['not_found', 'contract_unsupported', 'load_failed'] as const)(
    'keeps the account on the screen as lost, and reports the error once, after %s',
    (code) => {
      const [state, effects] = fail(code);
      expect(state).toMatchObject({ name: 'awaitingTransfer', payment: viewOf(), connection: 'lost' });
      expect(effects).toMatchObject([{ type: 'reportError', error: { code } }]);
      const again = transition(state, { type: 'checkFailed', error: new CheckoutError(code) });
      expect(again).toMatchObject([{ connection: 'lost' }, []]);
    },
  );
});

describe('a refused secret', () => {
  const unauthorized = new CheckoutError('session_unauthorized');
  const refuse = (state: State) => transition(state, { type: 'checkFailed', error: unauthorized });
  const renewal = { type: 'createSession', preference: 'existing' };
  const [refused] = refuse(stateOf());

  it.each<[Partial<PaymentView>, string]>([
    [{}, 'checking'],
    [{ chargedAmount: 5 }, 'checking'],
    [{ status: 'charged' }, 'confirming'],
    [{ outcome: 'expired' }, 'expired'],
    [{ outcome: 'unclear' }, 'checking'],
  ])('offers no account until then: %j is shown as %s', (changes, name) => {
    expect(refuse(stateOf(changes))[0]).toMatchObject({ name, connection: 'refused' });
  });

  it('keeps the transfer claim', () => {
    const [claimed] = transition(stateOf(), { type: 'claimed', atMs: -5000 });
    const [state] = refuse(claimed);
    expect(state).toMatchObject({ name: 'checking', reason: 'sent', connection: 'refused' });
    expect(transition(state, { type: 'sessionReceived', session: sessionOf() })[0]).toMatchObject({
      name: 'checking',
      reason: 'sent',
      claimedAtMs: -5000,
      connection: 'ok',
    });
  });

  it('offers the account again with a new secret of the same payment', () => {
    const session = sessionOf();
    const [state, next] = transition(refused, { type: 'sessionReceived', session });
    expect(state).toMatchObject({ name: 'awaitingTransfer', connection: 'ok' });
    expect(next).toEqual([{ type: 'stopWatching' }, { type: 'watch', session }]);
  });

  it('never shows another payment instead', () => {
    const session = sessionOf({ reference: 'order-1002-1' });
    const [state, next] = transition(refused, { type: 'sessionReceived', session });
    expect(state).toMatchObject({ name: 'checking', payment: { reference: 'order-1001-1' } });
    expect(next).toMatchObject([
      {
        type: 'reportError',
        error: { code: 'session_unknown', message: 'The server returned a session for another payment.' },
      },
      { type: 'stopWatching' },
      { ...renewal, failures: 1 },
    ]);
  });

  it('is renewed until that succeeds, later each time, and reported once', () => {
    let state = refused;
    for (const failures of [1, 2, 3]) {
      const error = new CheckoutError('forbidden');
      const [next, retry] = transition(state, { type: 'createFailed', error });
      expect(next).toMatchObject({ name: 'checking', connection: 'refused' });
      const retried = [{ type: 'stopWatching' }, { ...renewal, failures, after: error }];
      expect(retry).toEqual(failures === 1 ? [{ type: 'reportError', error }, ...retried] : retried);
      state = next;
    }
  });

  it('is renewed later where a new secret is refused as well, also after a failed check', () => {
    const [renewed] = transition(refused, { type: 'sessionReceived', session: sessionOf() });
    const [, again] = refuse(renewed);
    expect(again.at(-1)).toEqual({ ...renewal, failures: 1, after: unauthorized });
    const [retrying] = transition(renewed, {
      type: 'checkFailed',
      error: new CheckoutError('network_error'),
    });
    expect(refuse(retrying)[1].at(-1)).toEqual({ ...renewal, failures: 1, after: unauthorized });
  });

  it('is renewed at once when the shopper requests a check', () => {
    const [, next] = transition(refused, { type: 'checkRequested' });
    expect(next).toMatchObject([{ type: 'stopWatching' }, { ...renewal, after: undefined }]);
  });
});

describe('a transfer claim', () => {
  const claim = (state: State, type: 'claimed' | 'withdrawn') => transition(state, { type });
  const [sent, effects] = claim(stateOf(), 'claimed');

  it('is saved, and requests a check', () => {
    expect(sent).toMatchObject({ name: 'checking', reason: 'sent' });
    expect(effects).toEqual([{ type: 'storeClaim', isClaimed: true }, { type: 'checkNow' }]);
  });

  it.each<[Partial<PaymentView>, boolean]>([
    [{}, true],
    [{ chargedAmount: 5 }, true],
    [{ outcome: 'expired' }, true],
    [{ outcome: 'replaced' }, false],
    [{ outcome: 'paid' }, false],
    [{ status: 'charged' }, false],
    [{ status: 'unheard_of' }, false],
  ])('is accepted only while money may come, for a payment with %j: %s', (changes, isAccepted) => {
    expect(claim(stateOf(changes), 'claimed')[1].length > 0).toBe(isAccepted);
  });

  it.each<Partial<PaymentView>>([
    {},
    { outcome: 'expired' },
    { outcome: 'unclear' },
    { status: 'unheard_of' },
  ])('holds while nothing has changed: %j', (changes) => {
    const [state, kept] = transition(sent, { type: 'viewReceived', view: viewOf(changes) });
    expect(state).toMatchObject({ name: 'checking', reason: 'sent', payment: changes });
    expect(kept).toEqual([]);
  });

  it.each<[Partial<PaymentView>, string]>([
    [{ status: 'charged' }, 'confirming'],
    [{ outcome: 'paid' }, 'succeeded'],
    [{ outcome: 'paid', receivedLate: true }, 'receivedLate'],
    [{ chargedAmount: 5 }, 'partlyPaid'],
    [{ outcome: 'failed' }, 'failed'],
    [{ outcome: 'reversed' }, 'reversed'],
    [{ outcome: 'replaced' }, 'expired'],
    [{ reference: 'order-1001-2' }, 'awaitingTransfer'],
    [{ paymentReference: 'order-1001-0' }, 'awaitingTransfer'],
    [{ paymentReference: 'order-1001-0', outcome: 'expired', status: 'expired' }, 'expired'],
  ])('ends with a change: %j', (changes, name) => {
    const [state, forgotten] = transition(sent, { type: 'viewReceived', view: viewOf(changes) });
    expect([state.name, forgotten]).toEqual([name, [{ type: 'storeClaim', isClaimed: false }]]);
  });

  it('cannot be withdrawn where the server reports an unclear outcome', () => {
    const unclear = stateOf({ outcome: 'unclear' });
    expect(unclear).toMatchObject({ name: 'checking', reason: 'unclear' });
    expect(claim(unclear, 'withdrawn')).toEqual([unclear, []]);
  });
});

describe('the fields of every state', () => {
  it('show that the device is offline, on any screen', () => {
    for (const before of [initialState, stateOf(), stateOf({ outcome: 'paid' })]) {
      const [away] = transition(before, { type: 'wentOffline' });
      expect(away).toMatchObject({ name: before.name, isOffline: true });
      expect(transition(away, { type: 'cameOnline' })[0].isOffline).toBe(false);
    }
  });

  it.each<Event>([
    { type: 'sessionReceived', session: sessionOf() },
    { type: 'viewReceived', view: viewOf() },
    { type: 'unchanged' },
  ])('contain the time of the last response: $type', (response) => {
    const clocks = { nowMs: 5000, serviceTimeMs: 9_005_000 };
    expect(transition({ ...stateOf(), isOffline: true }, response, clocks)[0]).toMatchObject({
      isOffline: false,
      checkedAtMs: 5000,
      serviceOffsetMs: 9_000_000,
    });
    expect(transition(stateOf(), response, { serviceTimeMs: 9 })[0].serviceOffsetMs).toBeUndefined();
  });
});

describe('a stored payment', () => {
  const offline = new CheckoutError('network_error');

  it('is known while loading, and ignored once a payment is shown', () => {
    expect(transition(initialState, storedFound)).toMatchObject([{ name: 'loading', stored }, []]);
    expect(transition(stateOf(), storedFound)).toMatchObject([{ name: 'awaitingTransfer' }, []]);
  });

  it.each<[string, State, string | undefined]>([
    ['of no payment', initialState, undefined],
    ['of the stored payment', { name: 'loading', failures: 0, stored }, stored.reference],
    ['of the shown payment', stateOf({ reference: 'order-1001-2' }), 'order-1001-2'],
    ['of the payment that has paid', stateOf({ paymentReference: 'order-1001-0' }), 'order-1001-0'],
  ])('gives the reference that the shopper sees, as another payment does: %s', (_name, state, reference) => {
    expect(knownReference(state)).toBe(reference);
  });

  it('is hidden when the server responds anything else', () => {
    const [state] = transition(initialState, { type: 'createFailed', error: offline, stored });
    for (const code of ['forbidden', 'session_unauthorized', 'service_unavailable'] as const) {
      const [next] = transition(state, { type: 'createFailed', error: new CheckoutError(code) });
      expect(next).toMatchObject({ name: 'unavailable', code, stored: undefined });
    }
  });
});
