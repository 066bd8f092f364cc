import { describe, expect, it } from 'vitest';
import { createSessionClient } from '../../src/core/session-client.ts';
import { createFakeEnvironment, type FakeRequest } from './fake-environment.ts';
import { clientSecret, headersOf, serviceTimeMs, sessionOf, viewOf } from './views.ts';

const problem = { 'content-type': 'application/problem+json' };

function setUp() {
  const world = createFakeEnvironment();
  const client = createSessionClient({ environment: world.environment, baseUrl: '/checkout' });
  const { signal } = new AbortController();
  const create = () => client.create({ body: '{"orderId":"1001"}', stored: [], signal });
  const retrieve = (etag?: string, waitSeconds = 0) =>
    client.retrieve(sessionOf(), { etag, waitSeconds, signal });
  return { world, create, retrieve };
}

/** Returns the error of a rejected promise; a promise that resolves fails the test. */
async function errorOf(
  promise: Promise<unknown>,
): Promise<Error & { code?: string; retryAfterSeconds?: number }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was refused.');
}

describe('the session client', () => {
  it('posts the body as JSON and reads session, ETag, clock and delay', async () => {
    const { world, create } = setUp();
    const response = create();
    const { url, init, headers } = world.last();
    expect([url, init.method, init.body]).toEqual(['/checkout/sessions', 'POST', '{"orderId":"1001"}']);
    expect(init).toMatchObject({ credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('checkout-contract')).toBe('1');
    const responseHeaders = headersOf('a', { 'checkout-next-poll-ms': '2000' });
    await world.last().respond(sessionOf(), { status: 201, headers: responseHeaders });
    expect(await response).toEqual({ value: sessionOf(), etag: '"a"', serviceTimeMs, nextPollMs: 2000 });
  });

  it('retrieves a view with the secret only in the header Checkout-Secret', async () => {
    const { world, retrieve } = setUp();
    void retrieve('"a"', 25);
    const { url, init, headers } = world.last();
    expect(url).toBe('/checkout/sessions/order-1001-1');
    expect(Object.fromEntries(headers)).toEqual({
      'checkout-secret': clientSecret,
      'if-none-match': '"a"',
      prefer: 'wait=25',
      'checkout-contract': '1',
    });
    expect(init).toMatchObject({ credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
  });

  it.each(['soon', '-1', '1e3', '', '99999999999999999999'])(
    'ignores the clock and the delay "%s"',
    async (text) => {
      const { world, create } = setUp();
      const response = create();
      const headers = { 'checkout-service-time': text, 'checkout-next-poll-ms': text };
      await world.last().respond(sessionOf(), { headers });
      expect(await response).toMatchObject({ serviceTimeMs: undefined, nextPollMs: undefined });
    },
  );

  it('reads an unknown outcome as unclear, and keeps an unknown status', async () => {
    const { world, retrieve } = setUp();
    const response = retrieve();
    await world.last().respond({ ...viewOf(), outcome: 'overpaid', status: 'on_hold', more: true });
    expect((await response).value).toEqual(viewOf({ outcome: 'unclear', status: 'on_hold' }));
  });
});

describe('the session client and an invalid response', () => {
  it.each([
    ['a body that is not JSON', '<!doctype html><title>Shop</title>', /is not JSON; check that baseUrl/],
    ['an empty body', '', /is not JSON/],
    ['a body that is not an object', 'null', /has no valid/],
    [
      'a missing field',
      { ...sessionOf(), account: { number: '1', name: 'x' } },
      /has no valid "account.bankName"/,
    ],
    [
      'an amount in naira instead of kobo',
      { ...sessionOf(), amount: { value: 12.5, currency: 'NGN' } },
      /"amount.value"/,
    ],
    ['an expiry that is not a time', { ...sessionOf(), expiresAt: 'tomorrow' }, /"expiresAt"/],
    ['an expiry that does not exist', { ...sessionOf(), expiresAt: '2026-13-01T12:00:00Z' }, /"expiresAt"/],
    ['a session without a secret', viewOf(), /"clientSecret"/],
  ])('refuses %s', async (_what, body, message) => {
    const { world, create } = setUp();
    const error = errorOf(create());
    await world.last().respond(body);
    expect(await error).toMatchObject({ name: 'CheckoutError', code: 'invalid_response' });
    expect((await error).message).toMatch(message);
  });

  it('refuses the view of another payment', async () => {
    const { world, retrieve } = setUp();
    const error = errorOf(retrieve());
    await world.last().respond(viewOf({ reference: 'order-1002-1' }));
    expect(await error).toMatchObject({
      code: 'invalid_response',
      message: expect.stringMatching(/another payment/),
    });
  });

  it('reports a problem, with its code, its detail and its Retry-After', async () => {
    const { world, create } = setUp();
    const error = errorOf(create());
    const body = { code: 'rate_limited', detail: 'Too many sessions; wait.' };
    await world.last().respond(body, { status: 429, headers: { ...problem, 'retry-after': '7' } });
    expect(await error).toMatchObject({ code: 'rate_limited', message: body.detail, retryAfterSeconds: 7 });
  });

  it.each([
    [401, 'session_unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [418, 'invalid_request'],
    [429, 'rate_limited'],
    [500, 'service_unavailable'],
    [502, 'service_unavailable'],
  ])('reports a status of %i without a problem, as %s', async (status, code) => {
    const { world, create } = setUp();
    const error = errorOf(create());
    await world.last().respond('<h1>Bad Gateway</h1>', { status });
    expect(await error).toMatchObject({ code, message: expect.stringMatching(/baseUrl/) });
  });

  it.each([400, 401, 403, 404, 408])(
    'reports a status of %i of a gateway, which does not know the payment, as an invalid response',
    async (status) => {
      const { world, retrieve } = setUp();
      const error = errorOf(retrieve());
      await world.last().respond('<h1>Not found</h1>', { status });
      expect(await error).toMatchObject({
        code: 'invalid_response',
        message: expect.stringMatching(`${status}.*baseUrl`),
      });
    },
  );

  it('reports a network failure, and keeps the cause', async () => {
    const { world, create } = setUp();
    const error = errorOf(create());
    const cause = new TypeError('Failed to fetch');
    await world.last().fail(cause);
    expect(await error).toMatchObject({ code: 'network_error', cause });
  });

  it('gives up a body that never ends', async () => {
    const { world } = setUp();
    const stalled: typeof world.environment.fetch = async (_url, { signal }) =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode('{"reference":'));
            signal?.addEventListener('abort', () => stream.error(new DOMException('Aborted', 'AbortError')));
          },
        }),
      );
    const client = createSessionClient({
      environment: { ...world.environment, fetch: stalled },
      baseUrl: '/checkout',
    });
    const error = errorOf(client.create({ body: '{}', stored: [], signal: new AbortController().signal }));
    await world.advance(15_000);
    expect(await error).toMatchObject({ code: 'network_error' });
  });

  it('never puts the secret into an error', async () => {
    const failures: ((request: FakeRequest) => Promise<void>)[] = [
      (request) => request.respond('<html>'),
      (request) => request.respond({ ...viewOf(), status: 1 }),
      (request) => request.respond('', { status: 401 }),
      (request) => request.fail(),
    ];
    for (const fail of failures) {
      const { world, retrieve } = setUp();
      const error = errorOf(retrieve());
      await fail(world.last());
      const { message, stack, cause } = await error;
      expect(JSON.stringify([message, stack, String(cause), world.last().url])).not.toContain(clientSecret);
    }
  });
});
