import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { initiation, start, withFault } from '../http/fault-kit.ts';
import { controlCall, newSandbox, origin, read } from '../sandbox-kit.ts';

describe('POST /_sandbox/faults', () => {
  const path = '/_sandbox/faults';

  it('returns the fault with all defaults', async () => {
    const { status, body } = await controlCall(newSandbox(), path, { operation: initiation, status: 503 });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^flt_/),
      operation: initiation,
      status: 503,
      phase: 'before',
      times: 1,
      probability: null,
      latencyMs: 0,
      retryAfterSeconds: 1,
    });
  });

  it.each([
    [{ status: 'slow' }, { latencyMs: 3000, times: 1 }],
    [{ status: 'slow', latencyMs: 5 }, { latencyMs: 5 }],
    [{ probability: 0.5 }, { times: null, probability: 0.5 }],
    [
      { probability: 0.5, times: 3 },
      { times: 3, probability: 0.5 },
    ],
    [{ status: 429, retryAfterSeconds: 7 }, { retryAfterSeconds: 7 }],
    [{ status: 500 }, { retryAfterSeconds: null }],
    [
      { phase: 'after', operation: '*' },
      { phase: 'after', operation: '*' },
    ],
  ] as [object, object][])('fills in the defaults of %j', async (input, filled) => {
    const { body } = await controlCall(newSandbox(), path, { operation: '*', status: 500, ...input });
    expect(body).toMatchObject(filled);
  });
});

describe('the list of faults', () => {
  const remove = async (sandbox: Sandbox, id = '') =>
    read(await sandbox.fetch(`${origin}/_sandbox/faults${id}`, { method: 'DELETE' }));

  it('is in the order in which they are tried, and counts down', async () => {
    const sandbox = withFault({ status: 500, times: 2 });
    sandbox.control.addFault({ operation: '*', status: 503 });
    expect((await start(sandbox)).status).toBe(500);
    const listed = (await controlCall(sandbox, '/_sandbox/faults')).body.data;
    expect(listed.map(({ status, times }: { status: number; times: number }) => [status, times])).toEqual([
      [500, 1],
      [503, 1],
    ]);
    expect((await start(sandbox)).status).toBe(500);
    expect((await start(sandbox)).status).toBe(503);
    expect((await start(sandbox)).status).toBe(200);
    expect(sandbox.control.listFaults()).toEqual([]);
  });

  it('removes one or all', async () => {
    const sandbox = withFault({ status: 500 });
    sandbox.control.addFault({ operation: '*', status: 501 });
    sandbox.control.addFault({ operation: '*', status: 502 });
    const [first] = sandbox.control.listFaults();
    const removed = await remove(sandbox, `/${first?.id}`);
    expect([removed.status, removed.body]).toEqual([200, first]);
    const gone = await remove(sandbox, `/${first?.id}`);
    expect([gone.status, gone.body.error.code]).toEqual([404, 'fault_not_found']);
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

  it('never include a control call', async () => {
    const sandbox = newSandbox();
    sandbox.control.addFault({ operation: '*', status: 500, probability: 1 });
    for (const path of ['/_sandbox/payments', '/_sandbox/faults', '/_sandbox/clock']) {
      expect((await controlCall(sandbox, path)).status).toBe(200);
    }
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
    const sandbox = withFault({ probability: 0.25 });
    const limited = withFault({ probability: 0.5, times: 3 });
    const isHit = async ({ fetch }: Sandbox) =>
      Number((await fetch(`${origin}/v1/payments`, { method: 'POST' })).status === 500);
    let hits = 0;
    let limitedHits = 0;
    for (let number = 0; number < 100; number++) {
      hits += await isHit(sandbox);
      limitedHits += await isHit(limited);
    }
    expect(hits).toBeGreaterThan(10);
    expect(hits).toBeLessThan(45);
    expect(limitedHits).toBe(3);
  });
});
