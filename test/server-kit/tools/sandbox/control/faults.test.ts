import { describe, expect, it } from 'vitest';
import type { FaultInput, Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { settle } from '../../../../settle.ts';
import { createTestClock } from '../../../kit/test-clock.ts';
import {
  call,
  controlCall,
  expectRefusal,
  goodBody,
  newSandbox,
  origin,
  type ReadResponse,
  read,
  startMs,
  verify,
} from '../sandbox-kit.ts';

const initiation = 'payments.initiate';

/** Initiates a payment, and ignores the result. */
const start = (sandbox: Sandbox, changes: object = {}): Promise<ReadResponse> =>
  call(sandbox, '/v1/payments', { body: { ...goodBody, ...changes } });

/** A sandbox with one fault at initiating payments. */
function withFault(input: Partial<FaultInput>): Sandbox {
  const sandbox = newSandbox();
  sandbox.control.addFault({ operation: initiation, status: 500, ...input });
  return sandbox;
}

it('POST /_sandbox/faults returns the fault with all defaults', async () => {
  const input = { operation: initiation, status: 503 };
  const defaults = { phase: 'before', times: 1, probability: null, latencyMs: 0, retryAfterSeconds: 1 };
  const { body } = await controlCall(newSandbox(), '/_sandbox/faults', input);
  expect(body).toEqual({ id: expect.stringMatching(/^flt_/), ...input, ...defaults });
});

describe('the list of faults', () => {
  const remove = async (sandbox: Sandbox, id = '') =>
    read(await sandbox.fetch(`${origin}/_sandbox/faults${id}`, { method: 'DELETE' }));

  it('is in the order in which they are tried, and counts down', async () => {
    const sandbox = withFault({ status: 500, times: 2 });
    sandbox.control.addFault({ operation: '*', status: 503 });
    expect((await start(sandbox)).status).toBe(500);
    const { data } = (await controlCall(sandbox, '/_sandbox/faults')).body;
    expect(data.flatMap(({ status, times }: FaultInput) => [status, times])).toEqual([500, 1, 503, 1]);
    for (const status of [500, 503, 200]) expect((await start(sandbox)).status).toBe(status);
    expect(sandbox.control.listFaults()).toEqual([]);
  });

  it('removes one or all', async () => {
    const sandbox = withFault({ status: 500 });
    sandbox.control.addFault({ operation: '*', status: 501 });
    sandbox.control.addFault({ operation: '*', status: 502 });
    const [first] = sandbox.control.listFaults();
    const removed = await remove(sandbox, `/${first?.id}`);
    expect([removed.status, removed.body]).toEqual([200, first]);
    expectRefusal(await remove(sandbox, `/${first?.id}`), 404, 'fault_not_found');
    const all = await remove(sandbox);
    expect(all.body.data.map(({ status }: { status: number }) => status)).toEqual([501, 502]);
    expect((await start(sandbox)).status).toBe(200);
  });
});

describe('the requests that a fault affects', () => {
  it('never include a HEAD, which would use up the fault of the GET after it', async () => {
    const sandbox = newSandbox();
    sandbox.control.addFault({ operation: '*', status: 503, times: 1 });
    const address = `${origin}/v1/payments/none/verify`;
    expect((await sandbox.fetch(address, { method: 'HEAD' })).status).toBe(401);
    expect((await sandbox.fetch(address)).status).toBe(503);
  });

  it('are exactly one of many parallel requests', async () => {
    const sandbox = withFault({ status: 500, times: 1 });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, number) => start(sandbox, { reference: `ord_${number}` })),
    );
    expect(responses.filter(({ status }) => status === 500)).toHaveLength(1);
    expect(sandbox.control.listPayments()).toHaveLength(19);
  });

  it('follow its probability, up to its times', async () => {
    const hitsOf = async (fault: Partial<FaultInput>): Promise<number> => {
      const { fetch } = withFault(fault);
      let hits = 0;
      for (let sent = 0; sent < 100; sent++)
        hits += Number((await fetch(`${origin}/v1/payments`, { method: 'POST' })).status === 500);
      return hits;
    };
    const hits = await hitsOf({ probability: 0.25 });
    expect(hits > 10 && hits < 45, `${hits}`).toBe(true);
    expect(await hitsOf({ probability: 0.5, times: 3 })).toBe(3);
  });
});

describe('a fault with a status', () => {
  it.each([
    [400, 'invalid_request_error', null],
    [401, 'authentication_error', null],
    [404, 'invalid_request_error', null],
    [409, 'idempotency_error', null],
    [429, 'invalid_request_error', '1'],
    [500, 'api_error', null],
    [503, 'api_error', '1'],
    [599, 'api_error', null],
  ])('responds with %i and the type %s', async (status, type, retryAfter) => {
    const response = await start(withFault({ status }));
    expectRefusal(response, status, 'injected_fault');
    expect(response.body.error.type).toBe(type);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
  });

  it('hides a stored change if it comes after the operation', async () => {
    const sandbox = withFault({ status: 500, phase: 'after' });
    expect((await start(sandbox)).status).toBe(500);
    expect((await start(sandbox)).body.error.code).toBe('reference_exists');
  });
});

describe('a malformed response', () => {
  it('is a 200 with incomplete JSON', async () => {
    const sandbox = withFault({ status: 'malformed' });
    const response = await sandbox.fetch(`${origin}/v1/payments`, { method: 'POST' });
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(text).toMatch(/^\{"/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it('cuts off the correct response if it comes after the operation', async () => {
    const sandbox = withFault({ status: 'malformed', phase: 'after' });
    await expect(start(sandbox)).rejects.toThrow(SyntaxError);
    expect((await verify(sandbox)).status).toBe('awaiting_charge');
  });
});

describe('a slow response', () => {
  it.each(['before', 'after'] as const)('is the correct one, after the wait: %s', async (phase) => {
    const clock = createTestClock(startMs);
    const sandbox = newSandbox({ now: clock.now, wait: clock.wait });
    sandbox.control.addFault({ operation: initiation, status: 'slow', phase });
    const response = start(sandbox);
    await clock.untilWaiting(3000);
    expect(sandbox.control.listPayments()).toHaveLength(phase === 'before' ? 0 : 1);
    clock.advance(3000);
    expect((await response).body.reference).toBe('ord_1001');
    await sandbox.close();
    expect(clock.pending()).toBe(0);
  });

  it('ends when the client disconnects', async () => {
    const clock = createTestClock(startMs);
    const sandbox = newSandbox({ now: clock.now, wait: clock.wait });
    sandbox.control.addFault({ operation: '*', status: 'slow' });
    const gone = new AbortController();
    const response = sandbox.fetch(`${origin}/v1/payments/a/verify`, { signal: gone.signal });
    await clock.untilWaiting(3000);
    gone.abort(new Error('the client left'));
    await expect(response).rejects.toThrow('the client left');
    expect(clock.pending()).toBe(0);
  });
});

describe('a lost response', () => {
  it('timeout: rejects in process only when the client aborts', async () => {
    const sandbox = withFault({ status: 'timeout' });
    const gone = new AbortController();
    const init = { method: 'POST', body: JSON.stringify(goodBody), signal: gone.signal };
    const response = sandbox.fetch(`${origin}/v1/payments`, init);
    expect(await Promise.race([response, settle().then(() => 'no response')])).toBe('no response');
    gone.abort();
    await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reset: rejects in process as fetch does, and is in the request log without a status', async () => {
    const sandbox = withFault({ status: 'reset', phase: 'after' });
    const cause = { code: 'ECONNRESET' };
    await expect(start(sandbox)).rejects.toMatchObject({ name: 'TypeError', cause });
    expect((await verify(sandbox)).status).toBe('awaiting_charge');
    const logged = { operation: initiation, status: null, fault: 'reset, after the operation', error: null };
    expect(sandbox.control.listRequests()[1]).toMatchObject(logged);
  });
});
