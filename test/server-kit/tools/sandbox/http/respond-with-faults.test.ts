import { describe, expect, it } from 'vitest';
import { settle } from '../../../../settle.ts';
import { createTestClock } from '../../../kit/test-clock.ts';
import { goodBody, memoryStorage, newSandbox, origin, startMs, verify } from '../sandbox-kit.ts';
import { initiation, start, withFault } from './fault-kit.ts';

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
    expect([response.status, response.body.error.type, response.body.error.code]).toEqual([
      status,
      type,
      'injected_fault',
    ]);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
  });

  it('hides a stored change if it comes after the operation', async () => {
    const storage = memoryStorage();
    const sandbox = newSandbox({ storage });
    sandbox.control.addFault({ operation: initiation, status: 500, phase: 'after' });
    expect((await start(sandbox)).status).toBe(500);
    const again = await start(newSandbox({ storage }));
    expect([again.status, again.body.error.code]).toEqual([409, 'reference_exists']);
  });
});

describe('a malformed response', () => {
  it.each(['before', 'after'] as const)('is a 200 with incomplete JSON: %s', async (phase) => {
    const sandbox = withFault({ status: 'malformed', phase });
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
    const body = JSON.stringify(goodBody);
    const response = sandbox.fetch(`${origin}/v1/payments`, { method: 'POST', body, signal: gone.signal });
    let isOver = false;
    response
      .catch(() => {})
      .finally(() => {
        isOver = true;
      });
    await settle();
    expect(isOver).toBe(false);
    gone.abort();
    await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reset: rejects in process as fetch does', async () => {
    const sandbox = withFault({ status: 'reset', phase: 'after' });
    await expect(start(sandbox)).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNRESET' },
    });
    expect((await verify(sandbox)).status).toBe('awaiting_charge');
  });

  it('is in the request log without a status', async () => {
    const sandbox = withFault({ status: 'reset', phase: 'after' });
    await start(sandbox).catch(() => {});
    expect(sandbox.control.listRequests()[0]).toMatchObject({
      operation: initiation,
      status: null,
      durationMs: 0,
      fault: 'reset, after the operation',
      error: null,
    });
  });
});
