import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../../server-kit/core/errors.ts';
import type { Wait } from '../../../server-kit/core/time.ts';
import { cancelInvoice } from '../../../server-kit/service/index.ts';
import { verifyRequest } from '../../../server-kit/service/signatures.ts';
import { settle } from '../../settle.ts';
import {
  apiSecret,
  clientOf,
  createTestClient,
  envelope,
  failureOf,
  initiation,
  initiationRequest,
  linkRequest,
  payment,
  startClient,
} from '../kit/client-kit.ts';
import {
  dropConnection,
  respondError,
  respondJson,
  type SeenRequest,
  serverNow,
  stallInBody,
  serverNow as start,
  startFaultServer,
} from '../kit/fault-server.ts';
import { createGate } from '../kit/gate.ts';

const verifySeen = ({ url, headers, body }: SeenRequest, now = start): Promise<void> =>
  verifyRequest({
    path: url.replace('/service', ''),
    bodyText: body === '' ? undefined : body,
    signature: headers['request-signature'] as string,
    timestamp: headers['request-timestamp'] as string,
    secrets: [apiSecret],
    now,
  });

it('a call is signed over the sent text with every key, below the base URL’s path', async () => {
  const server = await startFaultServer([respondJson(200, initiation)]);
  const { client } = createTestClient(`${server.url}/service/`, { apiKey: 'pk_test_1' });
  const metadata = { constructor: 1, prototype: 2, toString: 3 };
  await client.payments.initiate({ ...initiationRequest, metadata });
  const [seen] = server.seen as [SeenRequest];
  expect(seen).toMatchObject({ method: 'POST', url: '/service/v1/payments' });
  expect(seen.headers).toMatchObject({ accept: 'application/json', authorization: 'Bearer pk_test_1' });
  expect(JSON.parse(seen.body)).toMatchObject({ metadata });
  await verifySeen(seen);
});

describe('an error of the service', () => {
  const own = { serviceCode: 'its_own_word', params: ['reference'] };

  it.each([
    [400, 'invalid_request_error', 'invalid_request'],
    [401, 'authentication_error', 'authentication_failed'],
    [404, 'invalid_request_error', 'not_found'],
    [422, 'invalid_request_error', 'invalid_request'],
    [418, 'a_new_type', 'invalid_request'],
  ])('has a code: with status %i and type %s it is %s', async (status, type, code) => {
    const { client } = await startClient([respondError(status, type, 'its_own_word')]);
    const error = await failureOf(client.payments.verify('ord_1'));
    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toMatchObject({ code, status, attempts: 1, ...own });
  });

  it.each([
    ['HTML', 400, '<html>Bad gateway</html>', 'invalid_request'],
    ['nothing', 400, '', 'invalid_request'],
    ['JSON of another form', 400, '{"message":"no"}', 'invalid_request'],
    ['null', 400, 'null', 'invalid_request'],
    ['text that is not UTF-8', 400, Buffer.from([0xff, 0xfe]), 'invalid_request'],
    ['HTML, which says nothing of the payment', 404, '<html>nginx', 'invalid_response'],
  ])('has a code even if its body is %s', async (_name, status, body, code) => {
    const { client } = await startClient([(_request, response) => void response.writeHead(status).end(body)]);
    const error = await failureOf(client.payments.verify('ord_1'));
    const message = expect.stringContaining('check baseUrl');
    expect(error).toMatchObject({ code, status, attempts: 1, message });
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'is by its status if its type is a JavaScript property: %s',
    async (type) => {
      const { client } = await startClient([respondJson(503, envelope(type))]);
      const error = await failureOf(client.payments.verify('ord_1'));
      expect(error).toMatchObject({ code: 'service_error', attempts: 4 });
    },
  );
});

describe('retries', () => {
  const busy = (retryAfter: string) =>
    respondError(429, 'api_error', 'slow_down', { 'retry-after': retryAfter });

  it.each([
    ['a dropped connection', dropConnection],
    ['a 500', respondError(500, 'api_error', 'oops')],
    ['a 503 in HTML', respondJson(503, '<html>')],
    ['a 429', respondError(429, 'api_error', 'slow_down')],
    ['a 408 of a gateway', respondJson(408, '<html>')],
    ['a 425', respondJson(425, '')],
  ])('resend the call after %s', async (_name, fault) => {
    const { client, pauses } = await startClient([fault, fault, respondJson(200, payment)]);
    expect(await client.payments.verify('ord_1')).toMatchObject({ id: 'pay_1' });
    expect(pauses).toEqual([125, 250]);
  });

  it('send the same body, signed again', async () => {
    let now = start;
    const wait: Wait = async (ms) => {
      if (ms === 15_000) return new Promise(() => {});
      now += 600_000;
    };
    const responders = [dropConnection, respondJson(200, initiation)];
    const { client, seen } = await startClient(responders, { now: () => now, wait });
    await client.payments.initiate(initiationRequest);
    const [first, second] = seen as [SeenRequest, SeenRequest];
    expect(second.body).toBe(first.body);
    await verifySeen(second, now);
  });

  it.each([start, start + 3_600_000])(
    'wait as long as Retry-After says, in seconds or until a date of the response’s clock, at %i',
    async (nowMs) => {
      const later = new Date(start + 4000).toUTCString();
      const responders = [busy('2'), busy(later), respondJson(200, payment)];
      const { client, pauses } = await startClient(responders, { random: () => 0, now: () => nowMs });
      await client.payments.verify('ord_1');
      expect(pauses).toEqual([2000, 4000]);
    },
  );

  it.each(['-1', '1.5', '5 s', '0x10', '1e3', '3600'])(
    'ignore a Retry-After that is not whole seconds, and end at one that is too long: %s',
    async (text) => {
      const { client } = await startClient([busy(text)]);
      const [attempts, retryAfterSeconds] = text === '3600' ? [1, 3600] : [4, undefined];
      const error = await failureOf(client.payments.verify('ord_1'));
      expect(error).toMatchObject({ code: 'rate_limited', attempts, retryAfterSeconds });
    },
  );

  it('stop when the caller aborts', async () => {
    const controller = new AbortController();
    // Ends only by its signal.
    const wait: Wait = (ms, signal) =>
      new Promise((_, reject) => {
        if (ms === 15_000) return;
        signal?.addEventListener('abort', () => reject(signal.reason));
        controller.abort();
      });
    const { client, seen } = await startClient([dropConnection], { wait });
    const error = await failureOf(client.payments.verify('ord_1', { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', attempts: 1 });
    expect(seen).toHaveLength(1);
  });
});

describe('the timeout', () => {
  it('lasts until the whole body is there, and is transient: the call is retried', async () => {
    const headers = createGate();
    const { client, pauses, timeouts } = await startClient([stallInBody, respondJson(200, payment)], {
      fetch: (...request) => fetch(...request).finally(headers.open),
    });
    const call = client.payments.verify('ord_1');
    await headers.opened;
    await settle();
    timeouts[0]?.();
    expect(await call).toMatchObject({ id: 'pay_1' });
    expect(pauses).toEqual([125]);
  });

  it('aborts the fetch, and ends one that ignores it', async () => {
    let signal: AbortSignal | null | undefined;
    const { client, timeouts } = createTestClient('http://service.test', {
      fetch: (_input, init) => {
        signal = init?.signal;
        return new Promise(() => {});
      },
    });
    const failure = failureOf(client.payments.verify('ord_1', { maxRetries: 0 }));
    await expect.poll(() => signal?.aborted).toBe(false);
    timeouts[0]?.();
    expect(await failure).toMatchObject({ code: 'timeout' });
    expect(signal?.aborted).toBe(true);
  });
});

describe('a redirect', () => {
  it('is not followed, so that no other host sees the signature', async () => {
    const other = await startFaultServer([respondJson(200, payment)]);
    const location = `${other.url}/v1/payments/ord_1/verify`;
    const { client } = await startClient([respondJson(302, '', { location })]);
    const message = expect.stringContaining('redirected to another address; check baseUrl');
    const error = await failureOf(client.payments.verify('ord_1'));
    expect(error).toMatchObject({ code: 'invalid_response', status: 302, attempts: 1, message });
    expect(other.seen).toHaveLength(0);
  });

  it('is also reported if the runtime hides it', async () => {
    const error = await failureOf(clientOf(() => Response.error()).payments.verify('ord_1'));
    const message = expect.stringContaining('redirect');
    expect(error).toMatchObject({ code: 'invalid_response', attempts: 1, message });
  });
});

describe('the clock', () => {
  const hour = 3_600_000;
  const skewed = (offsetMs: number) => ({ date: new Date(start + offsetMs).toUTCString() });
  const refused = (offsetMs: number) =>
    respondError(401, 'authentication_error', 'request_signature_invalid', skewed(offsetMs));
  const accepted = respondJson(200, payment, skewed(hour));

  it('is corrected from a refusal’s Date, and the call is sent once more', async () => {
    const { client, pauses, seen } = await startClient([refused(hour), accepted]);
    await client.payments.verify('ord_1');
    await verifySeen(seen[1] as SeenRequest, start + hour);
    expect(pauses).toEqual([]);
    expect(Math.abs(client.serviceNow() - (start + hour))).toBeLessThanOrEqual(1000);
  });

  it('is the local one again if the service refuses its own time', async () => {
    const { client, seen } = await startClient([accepted, refused(hour), accepted]);
    await client.payments.verify('ord_1');
    await client.payments.verify('ord_1');
    await verifySeen(seen[1] as SeenRequest, start + hour);
    await verifySeen(seen[2] as SeenRequest, start);
  });

  it.each([
    ['is not corrected after a refusal if it is right', [refused(30_000)], 1],
    ['is corrected once per call, not forever', [refused(hour), refused(2 * hour), refused(3 * hour)], 2],
    ['is restored if the signature is also refused with the other clock', [refused(hour)], 2],
    ['is not set by a response that violates the interface', [respondJson(200, {}, skewed(hour))], 1],
  ])('%s', async (_name, responders, attempts) => {
    const { client } = await startClient(responders);
    expect(await failureOf(client.payments.verify('ord_1'))).toMatchObject({ attempts });
    expect(Math.abs(client.serviceNow() - start)).toBeLessThanOrEqual(31_000);
  });

  const dates = [
    '',
    'yesterday',
    '31/02/2026',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ];
  it.each<[string, number | string, number, number | undefined]>([
    ['stays in the service’s own second', 0, 0, 0],
    ['stays if the second may have begun on the way', 1000, 1500, 0],
    ['stays if the response may be as old as the request', 0, 10_000, 0],
    ['goes back if the response is older', -1000, 10_000, -1],
    ['goes ahead if the response is newer than its arrival', 11_000, 10_000, 11_999],
    ['is never behind a service that is ahead', hour, 0, hour + 999],
    ['is never behind a service that is behind', -hour, 0, -hour + 999],
    ...dates.map((date): [string, string, number, undefined] => [
      'ignores a date like this',
      date,
      0,
      undefined,
    ]),
  ])('%s: %j', async (_what, date, tookMs, offsetMs) => {
    let nowMs = start;
    const headers = { date: typeof date === 'string' ? date : new Date(start + date).toUTCString() };
    const respond = () => {
      nowMs += tookMs;
      return Response.json(payment, { headers });
    };
    const { client } = clientOf(respond, { now: () => nowMs });
    await client.payments.verify('ord_1');
    expect(client.clockOffsetMs()).toBe(offsetMs);
  });
});

const exists = respondError(409, 'idempotency_error', 'duplicate');
const ofReference = envelope('invalid_request_error', ['reference']);

describe('reference_exists', () => {
  it.each([
    ['a 409 of type idempotency_error', 409, envelope('idempotency_error'), 'reference_exists'],
    ['a 400 of type idempotency_error', 400, envelope('idempotency_error'), 'reference_exists'],
    ['a 422 of type idempotency_error', 422, envelope('idempotency_error'), 'reference_exists'],
    ['a 409 over the reference', 409, ofReference, 'reference_exists'],
    ['not a 409 over something else', 409, envelope('invalid_request_error', ['customer']), 'conflict'],
    ['not a 409 of a gateway', 409, '<html>nginx</html>', 'conflict'],
    ['not a 400 over the reference', 400, ofReference, 'invalid_request'],
    ['not a 401 of that type', 401, envelope('idempotency_error'), 'authentication_failed'],
  ])('is %s', async (_name, status, body, code) => {
    const { client } = await startClient([respondJson(status, body)]);
    for (const call of [client.payments.initiate(initiationRequest), client.checkout.create(linkRequest)])
      expect(await failureOf(call)).toMatchObject({ code });
  });

  it('is not reported for a request without a reference', async () => {
    const { client } = await startClient([exists]);
    expect(await failureOf(cancelInvoice(client, 'inv_1'))).toMatchObject({ code: 'conflict' });
  });
});

describe('a refusal of a later attempt', () => {
  const skewed = { date: new Date(serverNow + 3_600_000).toUTCString() };
  const refusal = respondError(422, 'invalid_request_error', 'no');

  it.each([
    ['is likely the call’s own, after a lost connection', [dropConnection, exists], true],
    ['is likely the call’s own, after a 503', [respondJson(503, '<html>'), exists], true],
    // The service does not state how it refuses a used reference.
    ['is likely its own whatever the refusal says', [dropConnection, refusal], true],
    [
      'is not the call’s own, after a 429, which did no work',
      [respondError(429, 'api_error', 'slow_down'), exists],
      false,
    ],
    [
      'is not the call’s own, after a 401 for the clock, which did no work',
      [respondError(401, 'authentication_error', 'timestamp', skewed), exists],
      false,
    ],
    ['is not the call’s own on the first attempt', [exists], false],
  ])('%s', async (_name, responders, isLikelyOwn) => {
    const { client } = await startClient(responders);
    const error = await failureOf(client.payments.initiate(initiationRequest));
    const code = responders.includes(exists) ? 'reference_exists' : 'invalid_request';
    expect(error).toMatchObject({ code, attempts: responders.length, isLikelyOwn });
  });

  it('is not the call’s own if the call has no reference', async () => {
    const { client } = await startClient([dropConnection]);
    expect(await failureOf(client.payments.verify('ord_1'))).toMatchObject({ isLikelyOwn: false });
  });
});
