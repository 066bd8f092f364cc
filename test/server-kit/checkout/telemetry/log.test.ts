import { describe, expect, it } from 'vitest';
import { type Counters, createCounters } from '../../../../server-kit/checkout/telemetry/counters.ts';
import { createLog } from '../../../../server-kit/checkout/telemetry/log.ts';
import type { LogEvent } from '../../../../server-kit/checkout/telemetry/log-event.ts';
import { createMemoryBus } from '../../../../server-kit/drivers/memory/bus.ts';
import { createMemoryStore } from '../../../../server-kit/drivers/memory/store.ts';
import { CheckoutError } from '../../../../src/contract/index.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { silenceConsole } from '../../kit/silence-console.ts';
import { refusing } from '../../kit/wire-faults.ts';
import { createWiredShop, order, shopUrl } from '../../kit/wired-shop.ts';

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

  it('contains when the bus goes down, and when it is up again', async () => {
    let state: 'up' | 'down' = 'up';
    const { checkout, clock, log } = createWiredShop({
      bus: { ...createMemoryBus(), state: () => state },
      random: () => 0.5,
    });
    checkout.start();
    for (const next of ['down', 'down', 'up'] as const) {
      await clock.untilWaiting(4000);
      state = next;
      clock.advance(4000);
    }
    await clock.untilWaiting(4000);
    await checkout.stop();
    expect(log.map(({ type }) => type)).toEqual(['busDown', 'busUp', 'stopped']);
  });

  it('holds no secret and no customer, whatever happens', async () => {
    const { open, get, pay, delivered, callBack, post, wire, log } = createNotifiedShop();
    const session = await open();
    pay(session.account.number);
    await delivered();
    await callBack({ reference: session.reference }, { headers: { 'request-signature': 'ab' } });
    await get({ ...session, reference: 'tc_2' });
    wire.intercept = refusing(401);
    await post({ 'x-customer': 'ada@example.com' }, '{"customer":"ada@example.com"}');
    const text = JSON.stringify(log, (_key, value: unknown) =>
      value instanceof Error ? { ...value, message: value.message, cause: value.cause } : value,
    );
    expect(log.length).toBeGreaterThan(4);
    expect(text).not.toMatch(/cs_test_|sk_test|ada@example|Ada Obi/);
  });

  /** A shop that logs to the console, and what it has printed. */
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

  it('prints a reference that the service does not know, and why it cannot be reached, on one line', async () => {
    const { open, get, wire, clock, printed } = createPrintingShop();
    const session = await open();
    wire.intercept = refusing(404);
    await get(session);
    clock.advance(5000);
    wire.intercept = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('refused') }));
    await get(session);
    const { reference } = session;
    expect(printed).toEqual(
      [/^service_unavailable: .+ Cause: not_found: .+$/, /Cause: connection_lost: .+ Cause: refused$/].map(
        (line) => ['[transfer-checkout] verificationFailed', { reference }, expect.stringMatching(line)],
      ),
    );
  });

  it.each([
    new Error('no cart'),
    new CheckoutError('internal_error', 'no cart', { cause: new Error('a fault') }),
  ])('prints what the merchant’s code throws with its stack: %o', async (error) => {
    const { post, printed } = createPrintingShop({ createPayment: () => Promise.reject(error) });
    await post();
    expect(printed[0]?.[2]).toMatch(/Error: no cart\n {4}at .+log\.test\.ts/);
    if (error.cause !== undefined)
      expect(printed[0]?.[2]).toMatch(/\n {2}Caused by: Error: a fault\n {4}at .+log\.test\.ts/);
  });

  it('becomes JSON with its error and the causes, but not their other fields', async () => {
    const row = Object.assign(new Error('duplicate key', { cause: 'unknown' }), {
      code: '23505',
      detail: 'ada@example.com',
    });
    const { post, log } = createWiredShop({ createPayment: () => Promise.reject(row), onPaid: () => {} });
    await post();
    expect(JSON.parse(JSON.stringify(log))).toEqual([
      {
        level: 'error',
        type: 'requestFailed',
        route: 'createSession',
        status: 500,
        code: 'internal_error',
        error: {
          name: 'Error',
          code: '23505',
          message: 'duplicate key',
          cause: 'unknown',
          stack: expect.stringContaining('log.test.ts'),
        },
      },
    ]);
    const { post: postAgain, wire, log: other } = createWiredShop();
    wire.intercept = refusing(503);
    await postAgain();
    const [{ error }] = JSON.parse(JSON.stringify(other));
    expect(error).toMatchObject({ name: 'CheckoutError', cause: { code: 'service_error' } });
    expect(JSON.stringify(error)).not.toContain('stack');
  });

  it('becomes JSON although an error is its own cause', async () => {
    const error = new Error('round');
    error.cause = error;
    const { post, log } = createWiredShop({ createPayment: () => Promise.reject(error) });
    await post();
    expect(JSON.stringify(log).match(/"message":"round"/g)).toHaveLength(6);
  });
});

describe('measure', () => {
  it('gives numbers, and counts from 0', async () => {
    const { gauges, counters } = await createWiredShop().checkout.measure();
    expect(gauges).toEqual({
      storeUp: 1,
      oldestUnpaidMs: null,
      oldestConfirmingMs: null,
      checkLagMs: 0,
      parkedEvents: 0,
      pendingOutboxEvents: 0,
      clockOffsetMs: null,
      busUp: 1,
      verificationLoad: 0,
      verificationForecast: 0,
      waiters: 0,
    });
    expect(new Set(Object.values(counters))).toEqual(new Set([0]));
  });

  it('counts each type of event that has a counter', () => {
    const ofTypes: Partial<Record<LogEvent['type'], keyof Counters>> = {
      requestRefused: 'requestsRefused',
      requestFailed: 'requestsFailed',
      leaseLost: 'leasesLost',
      callbackRefused: 'callbacksRefused',
      serviceLimited: 'serviceLimited',
      limiterFailed: 'limiterFailures',
      handlerSucceeded: 'handlersSucceeded',
      handlerFailed: 'handlersFailed',
    };
    const ofActions = { verify: 'Matched', unknown: 'Unknown', ignored: 'Ignored' };
    const counted = [
      ...Object.entries(ofTypes).map(([type, name]) => ({ event: { type }, name })),
      ...Object.entries(ofActions).map(([action, name]) => ({
        event: { type: 'callback', action },
        name: `callbacks${name}`,
      })),
    ];
    const counters = createCounters();
    const log = createLog(counters, () => {});
    for (const [index, { event }] of counted.entries())
      for (let times = 0; times <= index; times++) log(event as LogEvent);
    const counts = counted.map(({ name }, index) => [name, index + 1]);
    expect(counters).toEqual({ ...createCounters(), ...Object.fromEntries(counts) });
  });

  it('counts verifications and requests, also those that failed', async () => {
    const shop = createNotifiedShop({ limits: { sessionsPerOrder: { limit: 1, perSeconds: 60 } } });
    const { open, get, post, checkout, clock, during } = shop;
    const session = await open();
    clock.advance(5000);
    const etag = (await get(session)).headers.get('etag') ?? '';
    clock.advance(5000);
    await during(refusing(500), () => get(session, { 'if-none-match': etag }));
    await post();
    const { gauges, counters } = await checkout.measure();
    expect(gauges).toMatchObject({ oldestUnpaidMs: 10_000, clockOffsetMs: expect.any(Number) });
    const requests = { requestsRefused: 1, requestsLimited: 1, requestsFailed: 1 };
    expect(counters).toMatchObject({ verifications: 2, verificationsFailed: 1, ...requests });
  });

  it('forecasts what the opened payments will need, from the same pauses that decide when they are verified', async () => {
    let orders = 0;
    const createPayment = () => ({ ...order, orderId: `order-${orders++}` });
    const options = { createPayment, lateWatchSeconds: 0, maxVerificationsPerSecond: 1 };
    const { post, checkout, clock } = createWiredShop(options);
    const forecast = async () => (await checkout.measure()).gauges.verificationForecast;
    for (const _ of [1, 2, 3]) {
      await post();
      // A reload opens nothing.
      orders--;
      await post();
      orders++;
    }
    // An account of 30 minutes: once a minute, once at the end, and once more after the watch for late money.
    expect(await forecast()).toBeCloseTo((3 * 32) / 600, 1);
    clock.advance(600_000);
    expect(await forecast()).toBeCloseTo((3 * 32) / 600 / Math.E, 1);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no store'))],
    [
      'throws',
      () => {
        throw new Error('no store');
      },
    ],
  ])('returns what it can while the store %s', async (_how, measure) => {
    const { checkout } = createWiredShop({ store: { ...createMemoryStore(), measure } });
    const unknown = { oldestUnpaidMs: null, oldestConfirmingMs: null, checkLagMs: null };
    expect((await checkout.measure()).gauges).toMatchObject({
      ...unknown,
      pendingOutboxEvents: null,
      parkedEvents: null,
      storeUp: 0,
      busUp: 1,
    });
  });
});
