import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RequestEvent, ResponseEvent } from '../../../server-kit/core/client.ts';
import { createTestClient, failureOf, initiation, initiationRequest, payment } from '../kit/client-kit.ts';
import {
  dropConnection,
  respondError,
  respondJson,
  serverNow,
  startFaultServer,
} from '../kit/fault-server.ts';

/** Creates a client that records its events in order; each reading of its clock advances it by 5 ms. */
function createHeardClient(baseUrl: string) {
  const events: (RequestEvent | ResponseEvent)[] = [];
  const hear = (event: RequestEvent | ResponseEvent): void => {
    events.push(event);
  };
  const { client } = createTestClient(baseUrl, { onRequest: hear, onResponse: hear });
  const responses = (): ResponseEvent[] => events.filter((event) => 'request' in event);
  return { client, events, responses };
}

describe('the hooks', () => {
  it('receive each attempt before it is sent and after it has ended', async () => {
    const busy = respondError(429, 'api_error', 'slow_down');
    const server = await startFaultServer([busy, dropConnection, respondJson(200, payment)]);
    const { client, events } = createHeardClient(server.url);
    await client.payments.verify('ord_1');
    const request = {
      operation: 'payments.verify',
      method: 'GET',
      path: '/v1/payments/ord_1/verify',
      startedAtMs: serverNow,
    };
    const failed = { durationMs: 0, willRetry: true };
    expect(events).toEqual([
      { ...request, attempt: 1 },
      { ...failed, request: events[0], status: 429, errorCode: 'rate_limited', serviceCode: 'slow_down' },
      { ...request, attempt: 2 },
      {
        ...failed,
        request: events[2],
        status: undefined,
        errorCode: 'connection_lost',
        serviceCode: undefined,
      },
      { ...request, attempt: 3 },
      {
        request: events[4],
        status: 200,
        durationMs: 0,
        errorCode: undefined,
        serviceCode: undefined,
        willRetry: false,
      },
    ]);
  });

  it('get the same request object before and after, even if calls overlap', async () => {
    const server = await startFaultServer([respondJson(200, payment)]);
    const open = new Set<RequestEvent>();
    const known: boolean[] = [];
    const { client } = createTestClient(server.url, {
      onRequest: (event) => open.add(event),
      onResponse: ({ request }) => known.push(open.delete(request)),
    });
    await Promise.all(['a', 'b', 'c'].map((reference) => client.payments.verify(reference)));
    expect({ known, left: open.size }).toEqual({ known: [true, true, true], left: 0 });
  });

  it('report the duration of an attempt by the local clock', async () => {
    let now = serverNow;
    const { client } = createTestClient('http://service.test', {
      now: () => now,
      fetch: async () => {
        now += 70;
        return Response.json(payment);
      },
      onResponse: (event) => durations.push(event.durationMs),
    });
    const durations: number[] = [];
    await client.payments.verify('ord_1');
    expect(durations).toEqual([70]);
  });

  it('cannot change what other hooks receive', async () => {
    const server = await startFaultServer([respondJson(200, payment)]);
    const { client, events } = createHeardClient(server.url);
    await client.payments.verify('ord_1');
    expect(events.map((event) => Object.isFrozen(event))).toEqual([true, true]);
  });

  it.each([
    ['is refused', respondError(404, 'invalid_request_error', 'x'), { status: 404, errorCode: 'not_found' }],
    ['is not JSON', respondJson(200, '<html>'), { status: 200, errorCode: 'invalid_response' }],
    ['lacks a field', respondJson(201, { id: 'pay_1' }), { status: 201, errorCode: 'invalid_response' }],
  ])('report that a response %s', async (_name, response, heard) => {
    const server = await startFaultServer([response]);
    const { client, responses } = createHeardClient(server.url);
    await failureOf(client.payments.verify('ord_1'));
    expect(responses()).toMatchObject([{ ...heard, willRetry: false }]);
  });

  it('report an attempt after which the clock is corrected', async () => {
    const date = new Date(serverNow + 3_600_000).toUTCString();
    const server = await startFaultServer([
      respondError(401, 'authentication_error', 'request_timestamp', { date }),
      respondJson(200, payment),
    ]);
    const { client, responses } = createHeardClient(server.url);
    await client.payments.verify('ord_1');
    expect(responses().map(({ willRetry, status }) => [status, willRetry])).toEqual([
      [401, true],
      [200, false],
    ]);
  });

  it('receive the end of an aborted attempt', async () => {
    const controller = new AbortController();
    const server = await startFaultServer([() => controller.abort()]);
    const { client, responses } = createHeardClient(server.url);
    await failureOf(client.payments.verify('ord_1', { signal: controller.signal }));
    expect(responses()).toMatchObject([{ errorCode: 'aborted', willRetry: false }]);
  });

  it('are not called for a request that is not sent', async () => {
    const { client, events } = createHeardClient('http://127.0.0.1:9');
    await failureOf(client.payments.verify(''));
    await failureOf(client.apps.update('app_1', {}));
    await failureOf(client.payments.verify('ord_1', { signal: AbortSignal.abort() }));
    expect(events).toEqual([]);
  });

  it('receive each page of a list, without its filters', async () => {
    const server = await startFaultServer([
      respondJson(200, { hasMore: true, cursor: 'c', data: [] }),
      respondJson(200, { hasMore: false, data: [] }),
    ]);
    const { client, responses } = createHeardClient(server.url);
    for await (const _ of client.payouts.list({ limit: 5 }));
    expect(responses().map(({ request: { path, attempt } }) => [path, attempt])).toEqual([
      ['/v1/payouts', 1],
      ['/v1/payouts', 1],
    ]);
  });
});

describe('a hook that fails', () => {
  const fault = new Error('the tracer is down');
  const faulty = [
    [
      'throws',
      () => {
        throw fault;
      },
    ],
    ['rejects', () => Promise.reject(fault)],
  ] as const;

  it.each(faulty)('changes nothing and is reported: it %s', async (_name, hook) => {
    const server = await startFaultServer([respondJson(200, initiation)]);
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const { client } = createTestClient(server.url, { onRequest: hook, onResponse: hook, onError });
    expect(await client.payments.initiate(initiationRequest)).toMatchObject({ id: 'pay_1' });
    await expect.poll(() => errors).toEqual([fault, fault]);
  });

  it.each(faulty)('is reported on the console by default: it %s', async (_name, hook) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const server = await startFaultServer([respondJson(200, payment)]);
    const { client } = createTestClient(server.url, { onRequest: hook });
    await client.payments.verify('ord_1');
    await expect
      .poll(() => log.mock.calls)
      .toEqual([['[transfer-checkout]', expect.stringContaining(fault.message)]]);
  });

  it('is not awaited if it never ends', async () => {
    const server = await startFaultServer([respondJson(200, payment)]);
    const { client } = createTestClient(server.url, { onRequest: () => new Promise(() => {}) });
    expect(await client.payments.verify('ord_1')).toMatchObject({ id: 'pay_1' });
  });
});
