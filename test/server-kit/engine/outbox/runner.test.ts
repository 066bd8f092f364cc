import { describe, expect, it, vi } from 'vitest';
import { newOrder, type Order } from '../../../../server-kit/engine/order/record.ts';
import type { OutcomeEvent } from '../../../../server-kit/engine/outbox/handlers.ts';
import type { Store } from '../../../../server-kit/engine/store.ts';
import { createGate } from '../../kit/gate.ts';
import { nextTurn } from '../../kit/test-clock.ts';
import { opening } from '../order/orders.ts';
import {
  type Change,
  createOutbox,
  createSlowHandler,
  editClaims,
  hang,
  leaseMs,
  notingHandlers,
  withTransactions,
} from './outbox-kit.ts';

const key = 'order-1:paid';
const names = { key, orderId: 'order-1', outcome: 'paid', reference: 'order-1' };
const noStock = new Error('no stock');
const down = new Error('The store is down.');
const fail = () => Promise.reject(noStock);

/** A runner, and one paid order whose event is claimed. */
async function startOutbox(...options: Parameters<typeof createOutbox>) {
  const outbox = createOutbox(...options);
  await outbox.bring('order-1');
  return outbox;
}

describe.each([
  ['without transactions', () => ({}), undefined],
  ['in a transaction', withTransactions(), 'the transaction'],
])('a handler %s', (_how, change: Change, expected) => {
  it('is called once, with the transaction', async () => {
    const transactions: unknown[] = [];
    const onPaid = ({ transaction }: OutcomeEvent) => void transactions.push(transaction);
    const { log, pending, clock, runSoon, settled } = await startOutbox({ onPaid }, change);
    runSoon();
    await settled();
    expect(transactions).toEqual([expected]);
    expect(log).toEqual([{ type: 'handlerSucceeded', ...names, token: 1 }]);
    expect([await pending(), clock.pending()]).toEqual([0, 0]);
  });

  it('is called again after a failure and a pause, and heals without a command', async () => {
    let isMended = false;
    const onPaid = () => (isMended ? undefined : fail());
    const { log, pass, clock, waiting, foregroundWaits } = await startOutbox({ onPaid }, change);
    // Half a second, with this jitter, and the margin for the store's clock.
    await pass(599);
    const failed = { type: 'handlerFailed', ...names, error: noStock };
    expect(log).toEqual([{ ...failed, token: 1, retryAfterMs: 500 }]);
    expect(await waiting()).toMatchObject([{ key, failure: 'no stock', isParked: false }]);
    isMended = true;
    await pass(1);
    expect(log.slice(1)).toEqual([{ type: 'handlerSucceeded', ...names, token: 2 }]);
    expect([await waiting(), clock.pending(), foregroundWaits]).toEqual([[], 0, []]);
  });
});

describe('the runner of the outbox', () => {
  it.each([
    ['expired', 'its own', true, ['handlerSucceeded']],
    ['failed', 'its own', true, ['handlerSucceeded']],
    ['failed', 'another instance’s', false, ['leaseLost', 'handlerSucceeded']],
    ['expired', 'without a handler', true, ['handlerSucceeded']],
  ])('withdraws %s if the order has been paid since: %s', async (status, whose, isOurs, logged) => {
    const { notified, handlers } = notingHandlers();
    const change: Change = (store) => ({
      async updateOutboxEvent(run, end) {
        const ended = await store.updateOutboxEvent(run, end);
        return isOurs || end.state === 'done' ? ended : undefined;
      },
    });
    const taken = whose === 'without a handler' ? { onPaid: handlers.onPaid } : handlers;
    const outbox = createOutbox(taken, change);
    await outbox.follows(`a ${status} 0, a succeeded 1000`);
    // After a lost lease, the others claim what is next.
    outbox.runSoon();
    await outbox.settled();
    expect([notified, outbox.types()]).toEqual([[key], logged]);
    expect((await outbox.status()).outcomes).toMatchObject({ paid: 1, [status]: 0 });
  });

  it('delivers an expiry while nobody has paid', async () => {
    const { notified, handlers } = notingHandlers();
    await createOutbox(handlers).follows('a expired 0');
    expect(notified).toEqual(['order-1:expired']);
  });

  it('leaves all events to other instances if it has no handlers', async () => {
    const { log, inner } = await startOutbox({});
    expect(log).toEqual([]);
    expect(await inner.claimOutboxEvent({ leaseMs })).toMatchObject({ key, token: 1 });
  });

  it('lets what follows pass an event that has failed ten times, and goes on trying it', async () => {
    const calls: string[] = [];
    let isMended = false;
    const note = ({ idempotencyKey }: OutcomeEvent) => void calls.push(idempotencyKey);
    const onAttention = (event: OutcomeEvent) => {
      note(event);
      if (!isMended) throw noStock;
    };
    const { follows, pass, pending } = createOutbox({ onPaid: note, onAttention });
    await follows('a succeeded 400, a succeeded 1000 @1');
    await pass(3_600_000);
    const [mismatch, paid] = ['order-1:amountMismatch', 'order-1:paid'];
    expect(calls.slice(0, 12)).toEqual([...Array(10).fill(mismatch), paid, mismatch]);
    isMended = true;
    await pass(3_600_000);
    expect([calls.filter((one) => one === paid), await pending()]).toEqual([[paid], 0]);
  });

  it('lets no reversal pass its payment, however often that has failed', async () => {
    const [onPaid, onAttention] = [vi.fn(fail), vi.fn()];
    const { follows, pass } = createOutbox({ onPaid, onAttention });
    await follows('a succeeded 1000, a reversed 1000');
    await pass(3 * 3_600_000);
    expect(onPaid.mock.calls.length).toBeGreaterThan(10);
    expect(onAttention).not.toHaveBeenCalled();
  });

  it('drops an event without money that has no handler, and parks any other', async () => {
    const { follows, types, pending, waiting } = createOutbox({ onPaid: () => {} });
    await follows('a expired 0, a succeeded 1000 @31, a reversed 1000 @32');
    expect([await pending(), (await waiting()).map(({ outcome }) => outcome)]).toEqual([0, ['reversed']]);
    expect(types()).toEqual(['handlerSucceeded', 'parked']);
  });

  it.each([
    ['one event', 'a succeeded 1000', 1],
    ['two events, the second behind the first', 'a succeeded 1000, a reversed 1000', 2],
  ])('claims no more often than there are events: %s', async (_what, responses, claims) => {
    const { notified, handlers } = notingHandlers();
    const claimed = vi.fn<Store['claimOutboxEvent']>();
    const change: Change = ({ claimOutboxEvent }) => ({
      claimOutboxEvent: claimed.mockImplementation(claimOutboxEvent),
    });
    const { follows, pending } = createOutbox({ ...handlers, onAttention: () => {} }, change);
    await follows(responses);
    expect([notified, claimed.mock.calls.length, await pending()]).toEqual([[key], claims, 0]);
  });

  const unknown = newOrder('order-1');
  it.each<['paid' | 'expired', string, Order | null]>([
    ['paid', 'order', null],
    ['expired', 'order', null],
    ['paid', 'payment', unknown],
    ['paid', 'account', { ...unknown, payments: [opening({ reference: 'order-1' })] }],
  ])('fails an event whose record is missing: %s, its %s', async (outcome, _what, record) => {
    const failing = { onPaid: fail, onExpired: fail };
    const { log } = await startOutbox(
      failing,
      editClaims(() => ({ record, outcome })),
    );
    const error = { code: 'internal_error', message: `${key}: the payment order-1 is not recorded.` };
    expect(log).toMatchObject([{ type: 'handlerFailed', error }]);
  });

  it.each([
    ['succeeds', () => {}, ['leaseLost']],
    ['fails', fail, ['handlerFailed', 'leaseLost']],
  ])('leaves an event to others if its lease was lost when the handler %s', async (_how, onPaid, logged) => {
    const change = () => ({ updateOutboxEvent: async () => undefined });
    const { log, types, clock, inner } = await startOutbox({ onPaid }, change);
    expect([types(), clock.pending()]).toEqual([logged, 0]);
    expect(log.at(-1)).toEqual({ type: 'leaseLost', ...names, token: 1 });
    clock.advance(leaseMs);
    expect(await inner.claimOutboxEvent({ leaseMs })).toMatchObject({ token: 2, wasLost: true });
  });

  it('fails a handler that loses its lease for that reason, whatever it throws', async () => {
    const onPaid = ({ signal }: OutcomeEvent) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(noStock)));
    const lost: Change = ({ updateOutboxEvent }) => ({
      updateOutboxEvent: async (...run) =>
        run[1].state === 'running' ? undefined : updateOutboxEvent(...run),
    });
    const { pass, log } = await startOutbox({ onPaid }, lost);
    await pass(leaseMs / 3);
    expect(log).toMatchObject([{ error: { message: expect.stringContaining('was lost') } }]);
  });

  it.each([
    ['nothing', undefined, 'undefined'],
    ['an object without a prototype', Object.create(null), 'The thrown value has no message.'],
    ['an error with a number for its message', Object.assign(new Error(), { message: 42 }), '42'],
    ['a whole document', new Error('x'.repeat(5_000_000)), 'x'.repeat(2000)],
  ])('keeps a short text of what a handler throws: %s', async (_what, thrown, failure) => {
    const onPaid = () => Promise.reject(thrown);
    const { waiting } = await startOutbox({ onPaid }, withTransactions());
    expect((await waiting())[0]?.failure === failure).toBe(true);
  });

  const failure = expect.stringContaining('started 20 times, and the last run neither ended');
  const parked = { state: 'parked', failure };
  const failed = { state: 'waiting', afterMs: 500, failure: 'no stock' };
  it.each([
    ['calls a handler again after nineteen lost runs', 19, true, 'handlerSucceeded', { state: 'done' }],
    ['parks an event after twenty lost runs', 20, true, 'parked', parked],
    ['does not say that it has parked one whose lease was lost', 20, true, 'leaseLost', parked],
    ['calls a handler again after any number of failures', 30, false, 'handlerSucceeded', { state: 'done' }],
    ['waits after a failure', 0, false, 'handlerFailed', failed],
  ])('%s', async (_what, runs, wasLost, logged, expected) => {
    const ended = vi.fn(async () => (logged === 'leaseLost' ? undefined : { nextAfterMs: null }));
    const edit = editClaims(({ token }) => ({ token: token + runs, wasLost }));
    const change: Change = (store) => ({ ...edit(store), updateOutboxEvent: ended });
    const { types } = await startOutbox({ onPaid: logged === 'handlerFailed' ? fail : () => {} }, change);
    expect(types()).toEqual([logged]);
    expect(ended.mock.calls).toEqual([[expect.anything(), expected]]);
  });

  it('logs a store that fails, and continues with the next event', async () => {
    const { notified, handlers } = notingHandlers();
    const broken = new Set(['claim', 'finish']);
    const unless = <T>(what: string, work: () => Promise<T>) =>
      broken.delete(what) ? Promise.reject(down) : work();
    const change: Change = (store) => ({
      claimOutboxEvent: (options) => unless('claim', () => store.claimOutboxEvent(options)),
      updateOutboxEvent: (run, end) =>
        end.state === 'done'
          ? unless('finish', () => store.updateOutboxEvent(run, end))
          : Promise.reject(down),
    });
    const { bring, settled, log, clock } = await startOutbox(handlers, change);
    await settled();
    expect([notified, log]).toEqual([[], [{ type: 'backgroundFailed', error: down }]]);
    await bring('order-2');
    expect(notified).toEqual([key, 'order-2:paid']);
    expect(log).toContainEqual({ type: 'handlerFailed', ...names, token: 1, retryAfterMs: 500, error: down });
    expect(log.filter(({ type }) => type === 'backgroundFailed')).toHaveLength(2);
    expect(clock.pending()).toBe(0);
  });

  it('delivers what is added while a claim finds nothing, and settles only after that', async () => {
    const { notified, handlers } = notingHandlers();
    const [gate, slow] = [createGate(), createSlowHandler()];
    const gates = [gate];
    const change: Change = (store) => ({
      async claimOutboxEvent(options) {
        const event = await store.claimOutboxEvent(options);
        await gates.pop()?.opened;
        return event;
      },
    });
    const onPaid = (event: OutcomeEvent) => slow.onPaid(event).then(() => handlers.onPaid(event));
    const { bring, runSoon, settled } = createOutbox({ onPaid }, change);
    runSoon();
    const settling = settled();
    await bring('order-1');
    expect(slow.signals).toEqual([]);
    gate.open();
    await nextTurn();
    slow.open();
    await settling;
    expect(notified).toEqual([key]);
  });

  it('aborts the signal of a handler whose transaction the database has ended', async () => {
    const { signals, onPaid } = createSlowHandler();
    const transact: Store['transact'] = (_run, work) =>
      Promise.race([work('the transaction'), Promise.reject(down)]).then(() => ({ nextAfterMs: null }));
    const { log, clock } = await startOutbox({ onPaid }, () => ({ transact }));
    expect([signals[0]?.reason, clock.pending()]).toEqual([down, 1]);
    expect(log[0]).toMatchObject({ type: 'handlerFailed', error: down });
  });
});

describe('a runner that stops', () => {
  const noPatience = AbortSignal.abort();
  const patience = new AbortController().signal;

  it('waits for its handlers, starts nothing more, and forgets the retries', async () => {
    const { open, signals, onPaid } = createSlowHandler();
    const onPaidOrFail = (event: OutcomeEvent) =>
      event.order.orderId === 'order-1' ? onPaid(event).then(fail) : fail();
    const { bring, stop, pass, log, clock, pending } = createOutbox({ onPaid: onPaidOrFail });
    await bring('order-1', 'order-2');
    const stopped = stop(patience);
    open();
    await stopped;
    expect([signals[0]?.aborted, clock.pending()]).toEqual([false, 0]);
    await bring('order-3');
    await pass(3_600_000);
    expect([log.length, await pending()]).toEqual([2, 3]);
  });

  it('interrupts them after its patience, and releases their events at once without counting a failure', async () => {
    const { signals, onPaid } = createSlowHandler();
    const { stop, log, inner, clock } = await startOutbox({ onPaid });
    await stop(noPatience);
    const failure = 'The checkout was stopped while the handler ran.';
    expect(signals[0]?.reason).toMatchObject({ message: failure });
    expect(log).toEqual([{ type: 'handlerInterrupted', ...names, token: 1 }]);
    expect(await inner.claimOutboxEvent({ leaseMs })).toMatchObject({ token: 2, wasLost: false, failure });
    expect(clock.pending()).toBe(0);
  });

  it('interrupts a handler whose event was just being claimed, too', async () => {
    const { open, opened } = createGate();
    const { stop, pass, types } = await startOutbox(
      { onPaid: hang },
      editClaims(() => opened),
    );
    const stopped = stop(noPatience);
    await pass(1000);
    open();
    await stopped;
    expect(types()).toEqual(['handlerInterrupted']);
  });

  it.each([
    ['ends just before that', 4999, 'handlerSucceeded'],
    ['is cut off', 5000, 'handlerInterrupted'],
  ])('leaves a transaction five seconds, and waits for the store if it %s', async (_how, ms, type) => {
    const { open, signals, onPaid } = createSlowHandler();
    const stored = createGate();
    const change: Change = (store) => ({
      ...withTransactions()(store),
      updateOutboxEvent: (...release) => stored.opened.then(() => store.updateOutboxEvent(...release)),
    });
    const { stop, pass, types, inner, clock } = await startOutbox({ onPaid }, change);
    const stopped = stop(noPatience);
    await pass(ms);
    expect(signals[0]?.aborted).toBe(true);
    open();
    stored.open();
    await stopped;
    const again = type === 'handlerInterrupted' ? { token: 2, wasLost: false } : undefined;
    expect([types(), clock.pending()]).toEqual([[type], 0]);
    expect(await inner.claimOutboxEvent({ leaseMs })).toEqual(again && expect.objectContaining(again));
  });

  it('rejects when a handler still runs two seconds after it was cut off', async () => {
    const transact: Store['transact'] = (_run, work) => work('it').then(() => ({ nextAfterMs: null }));
    const { stop, pass } = await startOutbox({ onPaid: hang }, () => ({ transact }));
    const failed = vi.fn();
    stop(noPatience).catch(failed);
    await pass(6999);
    expect(failed).not.toHaveBeenCalled();
    await pass(1);
    expect(failed).toHaveBeenCalledWith(expect.any(Error));
  });
});
