import { describe, expect, it } from 'vitest';
import type { Wait } from '../../../../server-kit/core/time.ts';
import type { Store } from '../../../../server-kit/engine/store.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { createGate } from '../../kit/gate.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { storedPayments } from '../../kit/payment-facts.ts';
import { createTestClock, nextTurn, pass } from '../../kit/test-clock.ts';
import {
  codeOf,
  down,
  hanging,
  holdResponses,
  type Intercept,
  onlyFor,
  refusing,
} from '../../kit/wire-faults.ts';
import { createWiredShop, order, type Wire } from '../../kit/wired-shop.ts';

/** The first request to initiate a payment meets the fault, and the others pass. */
const once = (wire: Wire, fault: Intercept): Intercept =>
  onlyFor('payments', (path, send) => {
    wire.intercept = undefined;
    return fault(path, send);
  });

/** Two instances of one shop. While the first is frozen, none of its waits ends. */
function createTwoInstances() {
  const clock = createTestClock();
  const store = createMemoryStore({ now: clock.now });
  const thawed = createGate();
  let isFrozen = false;
  const wait: Wait = async (ms, signal) => {
    await clock.wait(ms, signal);
    if (isFrozen) await thawed.opened;
  };
  const freeze = (): void => {
    isFrozen = true;
  };
  const one = createWiredShop({ store, testing: { wait } }, {}, { clock });
  return { one, two: createWiredShop({ store }, {}, one), clock, freeze, thaw: thawed.open };
}

/** Who takes a payment over from an instance; whether it is the same one. */
const takers = [
  ['the other', false],
  ['itself, in a later request', true],
] as const;

describe('two instances on one store and one service', () => {
  it('wait for the first while it lives, until shoppers must get a response', async () => {
    const { one, two, clock } = createTwoInstances();
    one.wire.intercept = hanging;
    const first = one.post();
    await pass(clock, 1000);
    const second = two.post();
    await pass(clock, 11_500);
    expect(two.wire.calls).toEqual([]);
    await pass(clock, 1000);
    expect([(await first).status, (await second).status]).toEqual([503, 201]);
    expect(one.sandbox.control.listPayments()).toHaveLength(1);
  });

  it.each(takers)('never show the account of a payment that was taken over by %s', async (_by, isSame) => {
    const { one, two, clock, freeze, thaw } = createTwoInstances();
    const { hold, atService, release } = holdResponses();
    one.wire.intercept = hold;
    const first = one.open();
    await atService;
    freeze();
    await pass(clock, 15_000);
    one.wire.intercept = undefined;
    const { reference } = await (isSame ? one : two).open();
    release();
    expect((await first).reference).toBe(reference);
    thaw();
  });

  it.each(takers)('end no lease but their own, after a take-over by %s', async (_by, isSame) => {
    const { one, two, clock, freeze, thaw } = createTwoInstances();
    const { open, opened } = createGate();
    one.wire.intercept = (...call) => opened.then(() => refusing(422)(...call));
    const first = one.post();
    await nextTurn();
    freeze();
    await pass(clock, 15_000);
    const second = isSame ? one : two;
    second.wire.intercept = hanging;
    const taking = second.post();
    await pass(clock, 500);
    open();
    expect((await first).status).toBe(502);
    const calls = one.wire.calls.length + two.wire.calls.length;
    thaw();
    const third = two.post();
    await pass(clock, 5000);
    expect(one.wire.calls.length + two.wire.calls.length).toBe(calls);
    await pass(clock, 30_000);
    await Promise.all([taking, third]);
  });
});

const lostWithConnection: Intercept = (path, send) => send().then(() => down(path, send));
const failing: Intercept = async (path, send) => {
  const response = await send();
  return response.ok ? refusing(500)(path, send) : response;
};
const truncated: Intercept = async (_path, send) => {
  const text = await (await send()).text();
  return new Response(text.slice(0, text.length / 2));
};

describe('a response that is lost', () => {
  it.each([
    ['with the connection', lostWithConnection],
    ['in the middle', truncated],
    ['to a 500 after the work', failing],
  ])('costs no second request of the shopper if it is lost once, %s', async (_how, fault) => {
    const { open, wire, sandbox, clock } = createWiredShop();
    wire.intercept = once(wire, fault);
    const before = clock.now();
    const { account, reference } = await open();
    expect(account.number).toMatch(/^\d{10}$/);
    expect(clock.now()).toBe(before);
    expect(sandbox.control.listPayments()).toMatchObject([{ reference }, {}]);
  });

  it.each([
    ['truncated', truncated, 502, 'service_rejected', 'invalid_response'],
    ['a 500 after the work', failing, 503, 'service_unavailable', 'reference_exists'],
  ])('repeatedly (%s) is reported, after three payments', async (_how, fault, status, code, causeCode) => {
    const { post, wire, sandbox, checkout } = createWiredShop();
    wire.intercept = fault;
    const response = await post();
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect(sandbox.control.listPayments()).toHaveLength(3);
    await expect(checkout.createSession(order)).rejects.toMatchObject({ code, cause: { code: causeCode } });
  });
});

it.each([
  [4500, 1],
  [7500, 2],
])('a slow service gives an account that takes it %i ms with %i calls', async (ms, calls) => {
  const { open, wire, clock, sandbox } = createWiredShop();
  // It does not wait to refuse a payment that it knows.
  wire.intercept = onlyFor('payments', async (_path, send) => {
    const response = await send();
    if (response.ok) await clock.wait(ms);
    return response;
  });
  const session = open();
  await pass(clock, 13_000);
  expect(await session).toMatchObject({ outcome: 'pending' });
  expect(sandbox.control.listPayments()).toHaveLength(calls);
  expect(clock.pending()).toBe(0);
});

it('A service that is busy for two seconds is called once: the browser retries', async () => {
  const { post, wire } = createWiredShop();
  wire.intercept = refusing(429, { 'retry-after': '2' });
  expect((await post()).status).toBe(503);
  expect(wire.calls).toHaveLength(1);
});

type Refusal = [status: number, type: string, params: string[]];

const refusals: readonly Refusal[] = [
  [400, 'invalid_request_error', ['reference']],
  [400, 'new_error', []],
  [403, 'authentication_error', []],
  [404, 'api_error', []],
  [409, 'idempotency_error', ['reference']],
  [409, 'invalid_request_error', []],
  [418, 'new_error', ['reference']],
  [422, 'invalid_request_error', ['customer.email']],
];

/** The service creates payments, but its response meets the fault; and it refuses a used reference in this way. */
const refusingUsed =
  ([status, type, params]: Refusal, fault?: () => Promise<Response>): Intercept =>
  async (_path, send) => {
    const response = await send();
    if (response.ok) return fault?.() ?? response;
    return Response.json({ error: { type, code: 'its_own_word', message: 'no', params } }, { status });
  };
const asConflict: Refusal = [409, 'invalid_request_error', []];
const cut = () => Promise.reject(new TypeError('fetch failed'));
const never = () => new Promise<never>(() => {});

describe('a payment that may exist', () => {
  it.each<[string, () => Promise<Response>]>([
    ['a time-out', never],
    ['a cut connection', cut],
    ['a 502', async () => new Response('', { status: 502 })],
  ])('is replaced after %s by any refusal of its reference', async (_name, fault) => {
    for (const refusal of refusals) {
      const { open, wire, clock, store } = createWiredShop();
      const faults = [fault];
      wire.intercept = (...call) => refusingUsed(refusal, faults.pop())(...call);
      // The first call meets the fault, the second the refusal.
      const session = open();
      await pass(clock, 5250);
      const { reference } = await session;
      expect(wire.calls).toHaveLength(3);
      const next = { reference, outcome: 'pending' };
      expect(await storedPayments(store)).toMatchObject([{ outcome: 'replaced', opened: null }, next]);
    }
  });

  it('is closed by a later request too, and money on it is reported', async () => {
    const { post, wire, clock, sandbox, pay, delivered, movements } = createNotifiedShop();
    wire.intercept = refusingUsed(asConflict, never);
    const first = post();
    await pass(clock, 14_000);
    expect((await first).status).toBe(503);
    wire.intercept = refusing(401);
    expect((await post()).status).toBe(502);
    wire.intercept = refusingUsed(asConflict);
    expect((await post()).status).toBe(201);
    const [, unseen] = sandbox.control.listPayments();
    pay(unseen?.accountNumber ?? '');
    const reported = delivered();
    await pass(clock, 5000);
    await reported;
    expect(movements).toMatchObject([[expect.any(String), order.amount.value, 'replacedAccount']]);
  });

  it('does not exist after a refusal of its first call: the next request repeats its reference', async () => {
    const { post, wire, sandbox } = createWiredShop();
    wire.intercept = refusing(422);
    for (let click = 0; click < 3; click++) expect((await post()).status).toBe(502);
    expect(wire.calls).toHaveLength(3);
    wire.intercept = undefined;
    const { reference } = await (await post()).json();
    expect(sandbox.control.listPayments()).toMatchObject([{ reference }]);
  });
});

describe('a request for a session', () => {
  it.each([
    ['the service', hanging, {}],
    ['the store', undefined, { find: () => new Promise<never>(() => {}) }],
  ])('gets 503 with Retry-After within 14 seconds while %s says nothing', async (_name, fault, change) => {
    const store = createMemoryStore();
    const { post, wire, clock } = createWiredShop({ store: { ...store, ...change } });
    wire.intercept = fault;
    const response = post();
    await pass(clock, 14_000);
    expect([(await response).status, (await response).headers.get('retry-after')]).toEqual([503, '3']);
    await nextTurn();
    expect(clock.pending()).toBe(0);
  });

  it.each([1, 2])('fails, with few accounts, if each write from number %i is lost', async (from) => {
    const store = createMemoryStore();
    const writes = { count: 0 };
    const write: Store['write'] = async (change) => ++writes.count < from && store.write(change);
    const { post, clock, sandbox, errors } = createWiredShop({ store: { ...store, write } });
    expect((await post()).status).toBe(500);
    // Where the account could not be recorded, the log also names the end of its lease, which could not either.
    expect(errors).toMatchObject(Array(from).fill({ code: 'internal_error' }));
    expect(writes.count).toBe(from === 1 ? 8 : 1 + 8 + 8);
    expect(sandbox.control.listPayments()).toHaveLength(from - 1);
    expect(clock.pending()).toBe(0);
  });
});
