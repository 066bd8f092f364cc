import { describe, expect, it } from 'vitest';
import type { Wait } from '../../../../server-kit/core/time.ts';
import type { Store } from '../../../../server-kit/engine/store.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { createGate } from '../../kit/gate.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { storedPayments } from '../../kit/payment-facts.ts';
import { createTestClock, nextTurn, pass } from '../../kit/test-clock.ts';
import { codeOf, hanging, holdResponses, type Intercept, onlyFor, refusing } from '../../kit/wire-faults.ts';
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

  it.each([
    ['the other', false],
    ['itself, in a later request', true],
  ])('never show the account of a payment that was taken over by %s', async (_by, isSame) => {
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

  it.each([
    ['the other', false],
    ['itself, in a later request', true],
  ])(
    'end no lease but their own, when a refusal comes after it was taken over by %s',
    async (_by, isSame) => {
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
    },
  );
});

const lostWithConnection: Intercept = async (_path, send) => {
  await send();
  throw new TypeError('fetch failed');
};
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

/** Shops whose service takes this long to create a payment, and does not wait to refuse one that it knows. */
function slowShop(latencyMs: number) {
  const shop = createWiredShop();
  shop.wire.intercept = onlyFor('payments', async (_path, send) => {
    const response = await send();
    if (response.ok) await shop.clock.wait(latencyMs);
    return response;
  });
  return shop;
}

it.each([
  [4500, 1],
  [7500, 2],
])(
  'a slow service gives an account that takes it %i ms with %i calls, and leaves no timer behind',
  async (ms, calls) => {
    const { open, clock, sandbox } = slowShop(ms);
    const session = open();
    await pass(clock, 13_000);
    expect(await session).toMatchObject({ outcome: 'pending' });
    expect(sandbox.control.listPayments()).toHaveLength(calls);
    expect(clock.pending()).toBe(0);
  },
);

type Refusal = { status: number; type: string; params: string[] };

const refusalOf = ({ status, type, params }: Refusal): Response =>
  Response.json({ error: { type, code: 'its_own_word', message: 'no', params } }, { status });

const types = [
  'invalid_request_error',
  'idempotency_error',
  'authentication_error',
  'api_error',
  'new_error',
];
const params = [[], ['reference'], ['customer.email']];

/** Every status from 400 to 422 with some type and params, and the likeliest ones with all. 401 and 408 say nothing about the payment. */
const refusals = Array.from({ length: 23 }, (_, index) => 400 + index)
  .filter((status) => status !== 401 && status !== 408)
  .flatMap((status, index): Refusal[] => {
    const all = types.flatMap((type) => params.map((named) => ({ status, type, params: named })));
    return [400, 409, 422].includes(status) ? all : all.slice(index % all.length).slice(0, 1);
  });
const asConflict: Refusal = { status: 409, type: 'invalid_request_error', params: [] };

/** The service creates payments without responding, or as the fault has it; and refuses a used reference in this way. */
const refusingUsed =
  (refusal: () => Refusal, fault?: (made: Response) => Promise<Response>): Intercept =>
  async (_path, send) => {
    const response = await send();
    if (!response.ok) return refusalOf(refusal());
    return fault?.(response) ?? response;
  };
const never = () => new Promise<never>(() => {});

it('A service that is busy for five seconds is called once: the browser retries', async () => {
  const { post, wire } = createWiredShop();
  wire.intercept = refusing(429, { 'retry-after': '5' });
  expect((await post()).status).toBe(503);
  expect(wire.calls).toHaveLength(1);
});

describe('a payment that may exist', () => {
  it.each<[string, () => Promise<Response>]>([
    ['a time-out', never],
    ['a cut connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['a 502', async () => refusalOf({ status: 502, type: 'api_error', params: [] })],
  ])(
    'is closed after %s by any refusal of its reference, and the shopper gets another account',
    async (_name, fault) => {
      const { checkout, wire, clock, store } = createWiredShop();
      let [made, refused] = [0, 0];
      wire.intercept = refusingUsed(
        () => refusals[refused++] ?? asConflict,
        async (response) => (made++ < refusals.length ? fault() : response),
      );
      const sessions = Promise.all(
        refusals.map((_, index) => checkout.createSession({ ...order, orderId: `order-${index}` })),
      );
      await pass(clock, 5250);
      expect(await sessions).toHaveLength(refusals.length);
      expect([made, refused]).toEqual([2 * refusals.length, refusals.length]);
      for (let index = 0; index < refusals.length; index += 20) {
        expect(await storedPayments(store, `order-${index}`)).toMatchObject([
          { outcome: 'replaced', opened: null },
          { outcome: 'pending' },
        ]);
      }
    },
  );

  it('is closed by a later request too, and money on it is reported', async () => {
    const { post, wire, clock, sandbox, pay, delivered, movements } = createNotifiedShop();
    wire.intercept = refusingUsed(() => asConflict, never);
    const first = post();
    await pass(clock, 14_000);
    expect((await first).status).toBe(503);
    wire.intercept = async () => refusalOf({ ...asConflict, status: 401 });
    expect((await post()).status).toBe(502);
    wire.intercept = refusingUsed(() => asConflict);
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
    wire.intercept = async () => refusalOf({ ...asConflict, status: 422 });
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

  /** A shop whose store takes the order's writes of these numbers only. */
  function shopThatWrites(takes: (number: number) => boolean) {
    const store = createMemoryStore();
    const writes = { count: 0 };
    const write: Store['write'] = async (change) => takes(++writes.count) && store.write(change);
    return { ...createWiredShop({ store: { ...store, write } }), writes };
  }

  it.each([1, 2])('fails, with few accounts, if each write from number %i is lost', async (from) => {
    const { post, clock, sandbox, errors, writes } = shopThatWrites((number) => number < from);
    expect((await post()).status).toBe(500);
    // Where the account could not be recorded, the log also names the end of its lease, which could not either.
    expect(errors).toMatchObject(Array(from).fill({ code: 'internal_error' }));
    expect(writes.count).toBe(from === 1 ? 8 : 1 + 8 + 8);
    expect(sandbox.control.listPayments()).toHaveLength(from - 1);
    expect(clock.pending()).toBe(0);
  });
});
