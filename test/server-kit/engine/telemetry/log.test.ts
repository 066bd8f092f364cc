import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { CheckoutError, type CheckoutErrorCode } from '../../../../src/contract/index.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { openedShop } from '../../kit/opened-shop.ts';
import { silenceConsole } from '../../kit/silence-console.ts';
import { codeOf, refusing } from '../../kit/wire-faults.ts';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';

const throwing = (error: unknown) => (): never => {
  throw error;
};

describe('the log', () => {
  it('contains each refusal with its route and code, and nothing of the request', async () => {
    const { post, get, checkout, log } = createWiredShop();
    await post({ origin: 'https://evil.example' });
    await get({ reference: 'tc_1', clientSecret: 'cs_test_secret' });
    await checkout.handler(new Request(`${shopUrl}/nothing`));
    const refused = { level: 'info', type: 'requestRefused' };
    expect(log.filter(({ type }) => type === 'requestRefused')).toEqual([
      { ...refused, route: 'createSession', status: 403, code: 'origin_not_allowed' },
      { ...refused, route: 'readSession', status: 401, code: 'session_unauthorized' },
      { ...refused, route: 'none', status: 404, code: 'not_found' },
    ]);
  });

  function createPrintingShop(options: object = {}) {
    const spy = silenceConsole();
    return { ...createWiredShop({ onLog: undefined, ...options } as never), printed: spy.mock.calls };
  }

  it('goes to the console without onLog, except for info', async () => {
    const { post, wire, printed } = createPrintingShop();
    await post({ 'content-type': 'text/plain' });
    expect(printed).toEqual([]);
    wire.intercept = refusing(503);
    await post();
    const cause = expect.stringMatching(/^service_unavailable: .+ Cause: service_error: .+$/);
    expect(printed).toMatchObject([
      ['[transfer-checkout] requestFailed', { route: 'createSession', status: 503 }, cause],
    ]);
  });

  it.each([
    new Error('no cart'),
    new CheckoutError('internal_error', 'no cart', { cause: new Error('a fault') }),
  ])('prints what the merchant’s code throws with its stack: %o', async (error) => {
    const { post, printed } = createPrintingShop({ getOrder: () => Promise.reject(error) });
    await post();
    expect(printed[0]?.[2]).toMatch(/Error: no cart\n {4}at .+log\.test\.ts/);
    if (error.cause !== undefined)
      expect(printed[0]?.[2]).toMatch(/\n {2}Caused by: Error: a fault\n {4}at .+log\.test\.ts/);
  });

  it('becomes JSON with its error and the causes, but not their other fields', async () => {
    const fields = { code: '23505', detail: 'ada@example.com' };
    const row = Object.assign(new Error('duplicate key', { cause: 'unknown' }), fields);
    const { post, log } = createWiredShop({ getOrder: () => Promise.reject(row), onPaid: () => {} });
    expect(await (await post()).text()).not.toContain(row.message);
    const [{ error, ...entry }, ...others] = JSON.parse(JSON.stringify(log));
    const failed = { level: 'error', type: 'requestFailed', route: 'createSession' };
    expect([entry, others]).toEqual([{ ...failed, status: 500, code: 'internal_error' }, []]);
    const stack = expect.stringContaining('log.test.ts');
    expect(error).toEqual({ name: 'Error', code: '23505', message: row.message, cause: 'unknown', stack });
    const down = createWiredShop();
    down.wire.intercept = refusing(503);
    await down.post();
    const [{ error: own }] = JSON.parse(JSON.stringify(down.log));
    expect(own).toMatchObject({ name: 'CheckoutError', cause: { code: 'service_error' } });
    expect(JSON.stringify(own)).not.toContain('stack');
  });
});

describe('measure', () => {
  it('gives five gauges', async () => {
    const { open, hold, clock, checkout, loseCallbacks } = createNotifiedShop();
    const none = { openOrders: 0, oldestDueMs: 0, eventsWaiting: 0, heldRequests: 0, storeLatencyMs: 0 };
    expect(await checkout.measure()).toEqual(none);
    loseCallbacks();
    const session = await open();
    const { response } = await hold(session);
    expect(await checkout.measure()).toEqual({ ...none, openOrders: 1, heldRequests: 1 });
    clock.advance(25_000);
    await response;
    clock.advance(120_000);
    expect((await checkout.measure()).oldestDueMs).toBeGreaterThan(0);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no store'))],
    ['throws', throwing(new Error('no store'))],
  ])('returns what it can while the store %s', async (_how, readStatus) => {
    const { checkout } = createWiredShop({ store: { ...createMemoryStore(), readStatus } });
    const unknown = { openOrders: null, oldestDueMs: null, eventsWaiting: null, storeLatencyMs: null };
    expect(await checkout.measure()).toEqual({ ...unknown, heldRequests: 0 });
  });
});

/** A shop with a verified session, and a service that refuses the key from then on. */
async function refusedShop() {
  const shop = await openedShop();
  shop.wire.intercept = refusing(401);
  shop.clock.advance(5000);
  return shop;
}

const shopThatThrows = (error: unknown, options = {}) =>
  createWiredShop({ getOrder: throwing(error), ...options });

describe('the log of a request that fails', () => {
  const rejected = [{ code: 'service_rejected', cause: { code: 'authentication_failed' } }];

  it.each<[string, (shop: Awaited<ReturnType<typeof refusedShop>>) => Promise<Response>, number]>([
    ['although a reload got a response', ({ post }) => post(), 200],
    ['where the browser had nothing yet', ({ get, session }) => get(session), 200],
    ['once if it got the error', ({ get, session, etag }) => get(session, { 'if-none-match': etag }), 502],
  ])('says that the service refuses a verification, %s', async (_when, ask, status) => {
    const shop = await refusedShop();
    expect((await ask(shop)).status).toBe(status);
    expect(shop.errors).toMatchObject(rejected);
  });

  it('says that an account could not be made, also when the browser has gone by then', async () => {
    const gone = new AbortController();
    const { checkout, wire, errors } = createWiredShop();
    wire.intercept = async (path, send) => {
      gone.abort();
      return refusing(401)(path, send);
    };
    const headers = { 'content-type': 'application/json' };
    const page = { method: 'POST', headers, body: '{}', signal: gone.signal };
    await checkout.handler(new Request(`${shopUrl}/checkout/sessions`, page));
    expect(errors).toMatchObject(rejected);
  });

  it.each(['network_error', 'invalid_response', 'load_failed', 'invalid_options', 'toString', 'constructor'])(
    'contains a CheckoutError whose code never travels: %s',
    async (code) => {
      const thrown = new CheckoutError(code as CheckoutErrorCode, 'the reason');
      const { post, errors } = shopThatThrows(thrown);
      const response = await post();
      expect(response.status).toBe(500);
      expect(await response.clone().text()).not.toContain('the reason');
      expect(await codeOf(response)).toBe('internal_error');
      expect(errors).toEqual([thrown]);
    },
  );
});

it.each([
  ['forbidden', 403],
  ['not_found', 404],
  ['invalid_request', 400],
])('an error from another copy of CheckoutError gives its status: %s', async (code, status) => {
  const detail = 'This cart is not yours.';
  // As in a bundle that holds the class twice.
  const { post, errors } = shopThatThrows(Object.assign(new Error(detail), { name: 'CheckoutError', code }));
  const response = await post();
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ status, code, detail });
  expect(errors).toEqual([]);
});

const failure = new Error('the logger is full');

it.each([
  ['at once', throwing(failure)],
  ['later', () => Promise.reject(failure)],
])('an onLog that fails %s harms nothing, and is reported to the console', async (_when, onLog) => {
  const spy = silenceConsole();
  const { post } = shopThatThrows(new Error('x'), { onLog });
  expect((await post()).status).toBe(500);
  const printed = expect.stringContaining(`Error: ${failure.message}\n    at `);
  await expect.poll(() => spy.mock.calls).toEqual([[expect.any(String), printed]]);
});
