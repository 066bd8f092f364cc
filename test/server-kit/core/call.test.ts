import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../../server-kit/core/errors.ts';
import type { Wait } from '../../../server-kit/core/time.ts';
import { verifyRequest } from '../../../server-kit/service/signatures.ts';
import {
  apiSecret,
  checkoutLink,
  createTestClient,
  failureOf,
  initiation,
  initiationRequest,
  payment,
} from '../kit/client-kit.ts';
import {
  dropConnection,
  respondError,
  respondJson,
  type SeenRequest,
  serverNow,
  stallInBody,
  startFaultServer,
} from '../kit/fault-server.ts';

const start = serverNow;
const request = initiationRequest;

const verifySeen = ({ url, headers, body }: SeenRequest, now = start): Promise<void> =>
  verifyRequest({
    path: url.replace('/service', ''),
    bodyText: body === '' ? undefined : body,
    signature: headers['request-signature'] as string,
    timestamp: headers['request-timestamp'] as string,
    secrets: [apiSecret],
    now,
  });

describe('a call', () => {
  it('is signed over the sent text, below the base URL’s path', async () => {
    const server = await startFaultServer([respondJson(200, initiation)]);
    const { client } = createTestClient(`${server.url}/service/`, { apiKey: 'pk_test_1' });
    expect(await client.payments.initiate(request)).toMatchObject({ accountNumber: '9990000018' });
    const [seen] = server.seen as [SeenRequest];
    expect(seen).toMatchObject({ method: 'POST', url: '/service/v1/payments' });
    expect(seen.headers).toMatchObject({ accept: 'application/json', authorization: 'Bearer pk_test_1' });
    await verifySeen(seen);
  });

  it('keeps every key of the metadata', async () => {
    const server = await startFaultServer([respondJson(200, initiation)]);
    const metadata = { constructor: 1, prototype: 2, toString: 3 };
    await createTestClient(server.url).client.payments.initiate({ ...request, metadata });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ metadata });
  });

  it('reads a payment by a reference that needs encoding', async () => {
    const server = await startFaultServer([respondJson(200, { ...payment, newField: [1] })]);
    const { client } = createTestClient(server.url);
    expect(await client.payments.verify('ord 1/Ä')).toMatchObject({
      status: 'awaiting_charge',
      newField: [1],
    });
    expect(server.seen[0]?.url).toBe('/v1/payments/ord%201%2F%C3%84/verify');
    await verifySeen(server.seen[0] as SeenRequest);
  });

  it('passes an unknown status on unchanged', async () => {
    const server = await startFaultServer([respondJson(200, { ...payment, status: 'on_hold' })]);
    expect((await createTestClient(server.url).client.payments.retrieve('pay_1')).status).toBe('on_hold');
  });

  it('converts amounts if the service uses major units', async () => {
    const server = await startFaultServer([
      respondJson(200, { ...initiation, amount: { value: 0.29, currency: 'NGN' } }),
      respondJson(200, { ...payment, expectedAmount: 0.29, chargedAmount: 1.1 }),
    ]);
    const { client } = createTestClient(server.url, { dialect: { amountUnit: 'major' } });
    const initiated = await client.payments.initiate({ ...request, amount: { value: 29, currency: 'NGN' } });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ amount: { value: 0.29 } });
    expect(initiated.amount.value).toBe(29);
    expect(await client.payments.verify('ord_1')).toMatchObject({ expectedAmount: 29, chargedAmount: 110 });
  });
});

describe('a refusal before sending', () => {
  it.each([
    [
      'an amount with fractions of a kobo',
      { ...request, amount: { value: 0.5, currency: 'NGN' } },
      'amount.value',
    ],
    ['a field that the interface does not have', { ...request, prize: 1 }, 'prize'],
  ])('names the invalid parameter: %s', async (_name, body, param) => {
    const server = await startFaultServer([respondJson(200, initiation)]);
    const call = createTestClient(server.url).client.payments.initiate(body as typeof request);
    await expect(call).rejects.toMatchObject({ code: 'invalid_request', params: [param] });
    expect(server.seen).toHaveLength(0);
  });

  it('refuses a return URL that is not http(s)', async () => {
    const { client } = createTestClient('http://127.0.0.1:9');
    const { paymentMethod: _, ...link } = request;
    await expect(client.checkout.create({ ...link, returnUrl: 'data:text/html,x' })).rejects.toMatchObject({
      code: 'invalid_request',
      params: ['returnUrl'],
    });
  });
});

describe('an error of the service', () => {
  it.each([
    [400, 'invalid_request_error', 'invalid_request'],
    [401, 'authentication_error', 'authentication_failed'],
    [404, 'invalid_request_error', 'not_found'],
    [422, 'invalid_request_error', 'invalid_request'],
    [418, 'a_new_type', 'invalid_request'],
  ])('has a code: with status %i and type %s it is %s', async (status, type, code) => {
    const server = await startFaultServer([respondError(status, type, 'its_own_word')]);
    const call = createTestClient(server.url).client.payments.verify('ord_1');
    await expect(call).rejects.toBeInstanceOf(PaymentsError);
    await expect(call).rejects.toMatchObject({
      code,
      status,
      serviceCode: 'its_own_word',
      params: ['reference'],
      attempts: 1,
    });
  });

  it.each([
    ['HTML', '<html>Bad gateway</html>'],
    ['nothing', ''],
    ['JSON of another form', '{"message":"no"}'],
    ['null', 'null'],
  ])('has a type even if its body is %s', async (_name, body) => {
    const server = await startFaultServer([respondJson(400, body)]);
    await expect(createTestClient(server.url).client.payments.verify('ord_1')).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
    });
  });

  it('does not mean that there is no payment if it is a 404 from a gateway', async () => {
    const server = await startFaultServer([respondJson(404, '<html>nginx')]);
    await expect(createTestClient(server.url).client.payments.verify('ord_1')).rejects.toMatchObject({
      code: 'invalid_response',
      status: 404,
      attempts: 1,
      message: expect.stringContaining('check baseUrl'),
    });
  });

  it('is reference_exists if it is a 409 for the reference', async () => {
    const server = await startFaultServer([respondError(409, 'idempotency_error', 'duplicate')]);
    const call = createTestClient(server.url).client.payments.initiate(request);
    await expect(call).rejects.toMatchObject({ code: 'reference_exists', attempts: 1 });
  });
});

describe('a response that violates the interface', () => {
  it.each([
    ['is not JSON', '<html>', []],
    ['lacks the status', { ...payment, status: undefined }, ['status']],
    ['has an amount as text', { ...payment, expectedAmount: '12' }, ['expectedAmount']],
    ['lacks liveMode', { ...payment, liveMode: undefined }, ['liveMode']],
  ])('is refused when it %s', async (_name, body, params) => {
    const server = await startFaultServer([respondJson(200, body)]);
    await expect(createTestClient(server.url).client.payments.verify('ord_1')).rejects.toMatchObject({
      code: 'invalid_response',
      params,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('is refused if the hosted page’s URL is a script', async () => {
    const server = await startFaultServer([
      respondJson(200, { ...checkoutLink, authorizationUrl: 'javascript:alert(1)' }),
    ]);
    const { paymentMethod: _, ...body } = request;
    await expect(createTestClient(server.url).client.checkout.create(body)).rejects.toMatchObject({
      code: 'invalid_response',
      params: ['authorizationUrl'],
    });
  });
});

describe('retries', () => {
  it.each([
    ['a dropped connection', dropConnection],
    ['a 500', respondError(500, 'api_error', 'oops')],
    ['a 503 in HTML', respondJson(503, '<html>')],
    ['a 429', respondError(429, 'api_error', 'slow_down')],
    ['a 408 of a gateway', respondJson(408, '<html>')],
    ['a 425', respondJson(425, '')],
  ])('resend the call after %s', async (_name, fault) => {
    const server = await startFaultServer([fault, fault, respondJson(200, payment)]);
    const { client, pauses } = createTestClient(server.url);
    expect(await client.payments.verify('ord_1')).toMatchObject({ id: 'pay_1' });
    expect(pauses).toEqual([125, 250]);
  });

  it('ask shouldRetry, and do not happen if it returns false', async () => {
    const server = await startFaultServer([dropConnection, respondError(429, 'api_error', 'slow_down')]);
    const asked: string[] = [];
    const shouldRetry = ({ code }: PaymentsError): boolean => {
      asked.push(code);
      return code !== 'rate_limited';
    };
    const call = createTestClient(server.url).client.payments.verify('ord_1', { shouldRetry });
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', attempts: 2 });
    expect(asked).toEqual(['connection_lost', 'rate_limited']);
  });

  it('sign each attempt again', async () => {
    const server = await startFaultServer([dropConnection, respondJson(200, payment)]);
    let now = start;
    const wait: Wait = async (ms) => {
      if (ms === 15_000) return new Promise(() => {});
      now += 60_000;
    };
    await createTestClient(server.url, { now: () => now, wait }).client.payments.verify('ord_1');
    const [first, second] = server.seen.map(({ headers }) => headers['request-timestamp']);
    expect(Number(second) - Number(first)).toBe(60);
    await verifySeen(server.seen[1] as SeenRequest, now);
  });

  it('resend a POST with the same body', async () => {
    const server = await startFaultServer([dropConnection, respondJson(200, initiation)]);
    await createTestClient(server.url).client.payments.initiate(request);
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]?.body).toBe(server.seen[0]?.body);
  });

  it('end after three, and report the number of attempts', async () => {
    const server = await startFaultServer([dropConnection]);
    await expect(createTestClient(server.url).client.payments.verify('ord_1')).rejects.toMatchObject({
      code: 'connection_lost',
      attempts: 4,
    });
    expect(server.seen).toHaveLength(4);
  });

  it('wait as long as Retry-After says, in seconds or until a date', async () => {
    const busy = (retryAfter: string) =>
      respondError(429, 'api_error', 'slow_down', { 'retry-after': retryAfter });
    const later = new Date(start + 4000).toUTCString();
    const server = await startFaultServer([busy('2'), busy(later), respondJson(200, payment)]);
    const { client, pauses } = createTestClient(server.url, { random: () => 0 });
    await client.payments.verify('ord_1');
    expect(pauses).toEqual([2000, 4000]);
  });

  it('measure a Retry-After date from the response’s Date, whatever the local clock', async () => {
    const [date, later] = [start, start + 4000].map((ms) => new Date(ms).toUTCString());
    const headers = { date: date ?? '', 'retry-after': later ?? '' };
    const server = await startFaultServer([respondJson(503, '', headers), respondJson(200, payment)]);
    const { client, pauses } = createTestClient(server.url, {
      random: () => 0,
      now: () => start + 3_600_000,
    });
    await client.payments.verify('ord_1');
    expect(pauses).toEqual([4000]);
  });

  it.each(['-1', '1.5', '5 s', '0x10', '1e3'])('ignore Retry-After: %s', async (text) => {
    const server = await startFaultServer([
      respondError(429, 'api_error', 'slow_down', { 'retry-after': text }),
    ]);
    const call = createTestClient(server.url).client.payments.verify('ord_1');
    await expect(call).rejects.toMatchObject({ attempts: 4, retryAfterSeconds: undefined });
  });

  it('end at once if Retry-After is longer than the longest pause', async () => {
    const server = await startFaultServer([
      respondError(429, 'api_error', 'slow_down', { 'retry-after': '3600' }),
    ]);
    await expect(createTestClient(server.url).client.payments.verify('ord_1')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 3600,
      attempts: 1,
    });
  });

  it('stop when the caller aborts', async () => {
    const server = await startFaultServer([dropConnection]);
    const controller = new AbortController();
    // Ends only by its signal.
    const wait: Wait = (ms, signal) =>
      new Promise((_, reject) => {
        if (ms === 15_000) return;
        signal?.addEventListener('abort', () => reject(signal.reason));
        controller.abort();
      });
    const { client } = createTestClient(server.url, { wait });
    await expect(client.payments.verify('ord_1', { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
      attempts: 1,
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('the timeout', () => {
  it('is transient: the call is retried', async () => {
    const server = await startFaultServer([stallInBody, respondJson(200, payment)]);
    const { client, pauses, timeouts } = createTestClient(server.url);
    const call = client.payments.verify('ord_1');
    await expect.poll(() => server.seen.length).toBe(1);
    timeouts[0]?.();
    expect(await call).toMatchObject({ id: 'pay_1' });
    expect(pauses).toEqual([125]);
  });

  it('does not end with the headers', async () => {
    const server = await startFaultServer([stallInBody]);
    let headersCame = (): void => {};
    const atHeaders = new Promise<void>((resolve) => {
      headersCame = resolve;
    });
    let end = (): void => {};
    const { client } = createTestClient(server.url, {
      fetch: async (...request) => {
        const response = await fetch(...request);
        headersCame();
        return response;
      },
      // Like a timer, it cannot end after it was cancelled.
      wait: (_ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          end = resolve;
        }),
    });
    const call = client.payments.verify('ord_1', { maxRetries: 0 });
    call.catch(() => {});
    await atHeaders;
    await new Promise((resolve) => setImmediate(resolve));
    end();
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
  });

  it('aborts the fetch, and ends one that ignores it', async () => {
    let signal: AbortSignal | null | undefined;
    const { client, timeouts } = createTestClient('http://service.test', {
      fetch: (_input, init) => {
        signal = init?.signal;
        return new Promise(() => {});
      },
    });
    const call = client.payments.verify('ord_1', { maxRetries: 0 });
    call.catch(() => {});
    await expect.poll(() => signal).toBeDefined();
    expect(signal?.aborted).toBe(false);
    timeouts[0]?.();
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
    expect(signal?.aborted).toBe(true);
  });
});

describe('a redirect', () => {
  it('is not followed, so that no other host sees the signature', async () => {
    const other = await startFaultServer([respondJson(200, payment)]);
    const server = await startFaultServer([
      respondJson(302, '', { location: `${other.url}/v1/payments/ord_1/verify` }),
    ]);
    const call = createTestClient(server.url).client.payments.verify('ord_1');
    await expect(call).rejects.toMatchObject({
      code: 'invalid_response',
      status: 302,
      attempts: 1,
      message: expect.stringContaining('redirected to another address; check baseUrl'),
    });
    expect(other.seen).toHaveLength(0);
  });

  it('is handled with an option that every runtime supports', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const { client } = createTestClient('http://service.test', {
      fetch: async (_input, init) => {
        inits.push(init);
        return Response.json(payment);
      },
    });
    await client.payments.verify('ord_1');
    expect(inits).toMatchObject([{ redirect: 'manual' }]);
  });

  it('is also reported if the runtime hides it', async () => {
    const { client } = createTestClient('http://service.test', { fetch: async () => Response.error() });
    await expect(client.payments.verify('ord_1')).rejects.toMatchObject({
      code: 'invalid_response',
      attempts: 1,
      message: expect.stringContaining('redirect'),
    });
  });
});

describe('the clock', () => {
  const hour = 3_600_000;
  const skewed = (offsetMs: number) => ({ date: new Date(start + offsetMs).toUTCString() });
  const refused = (offsetMs: number) =>
    respondError(401, 'authentication_error', 'request_signature_invalid', skewed(offsetMs));

  it('is corrected from a refusal’s Date, and the call is sent once more', async () => {
    const server = await startFaultServer([refused(hour), respondJson(200, payment, skewed(hour))]);
    const { client, pauses } = createTestClient(server.url);
    await client.payments.verify('ord_1');
    await verifySeen(server.seen[1] as SeenRequest, start + hour);
    expect(pauses).toEqual([]);
    expect(Math.abs(client.serviceNow() - (start + hour))).toBeLessThanOrEqual(1000);
  });

  it('is not corrected after a refusal if it is right', async () => {
    const server = await startFaultServer([refused(30_000)]);
    await expect(createTestClient(server.url).client.payments.verify('ord_1')).rejects.toMatchObject({
      code: 'authentication_failed',
      attempts: 1,
    });
  });

  it('is restored if the signature is also refused with the other clock', async () => {
    const server = await startFaultServer([refused(3_600_000)]);
    const { client } = createTestClient(server.url);
    expect(await failureOf(client.payments.verify('ord_1'))).toMatchObject({ attempts: 2 });
    expect(client.serviceNow()).toBe(start);
  });

  it('is not set by a response that violates the interface', async () => {
    const server = await startFaultServer([respondJson(200, {}, skewed(3_600_000))]);
    const { client } = createTestClient(server.url);
    expect(await failureOf(client.payments.verify('ord_1'))).toMatchObject({ code: 'invalid_response' });
    expect(client.serviceNow()).toBe(start);
  });

  it('is the local one again if the service refuses its own time', async () => {
    const server = await startFaultServer([
      respondJson(200, payment, skewed(hour)),
      refused(hour),
      respondJson(200, payment, skewed(hour)),
    ]);
    const { client } = createTestClient(server.url);
    await client.payments.verify('ord_1');
    await client.payments.verify('ord_1');
    await verifySeen(server.seen[1] as SeenRequest, start + hour);
    await verifySeen(server.seen[2] as SeenRequest, start);
  });

  /** Returns a client whose service responds after `tookMs`, with this `Date`. */
  function clientOf(date: string, tookMs = 0) {
    let nowMs = start;
    const fetch = async () => {
      nowMs += tookMs;
      return Response.json(payment, { headers: { date } });
    };
    return createTestClient('http://service.test', { now: () => nowMs, fetch }).client;
  }

  it.each([
    ['stays in the service’s own second', 0, 0, 0],
    ['stays if the second may have begun on the way', 1000, 1500, 0],
    ['stays if the response may be as old as the request', 0, 10_000, 0],
    ['goes back if the response is older', -1000, 10_000, -1],
    ['goes ahead if the response is newer than its arrival', 11_000, 10_000, 11_999],
    ['is never behind a service that is ahead', hour, 0, hour + 999],
    ['is never behind a service that is behind', -hour, 0, -hour + 999],
  ])('%s', async (_what, dateMs, tookMs, offsetMs) => {
    const client = clientOf(new Date(start + dateMs).toUTCString(), tookMs);
    await client.payments.verify('ord_1');
    expect(client.clockOffsetMs()).toBe(offsetMs);
  });

  it.each(['', 'yesterday', '31/02/2026', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'ignores the date %j',
    async (date) => {
      const client = clientOf(date);
      await client.payments.verify('ord_1');
      expect(client.clockOffsetMs()).toBeUndefined();
    },
  );

  it('is corrected once per call, not forever', async () => {
    const server = await startFaultServer([refused(hour), refused(2 * hour), refused(3 * hour)]);
    await expect(createTestClient(server.url).client.payments.verify('ord_1')).rejects.toMatchObject({
      attempts: 2,
    });
  });
});
