import { describe, expect, it } from 'vitest';
import { parseCallback } from '../../../../../server-kit/core/signature.ts';
import type { Wait } from '../../../../../server-kit/core/time.ts';
import type { Sandbox, SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { settle } from '../../../../settle.ts';
import { serve } from '../../../kit/serve.ts';
import { createTestClock } from '../../../kit/test-clock.ts';
import { goodBody, initiate, memoryStorage, newSandbox, startMs, verify } from '../sandbox-kit.ts';
import { createReceiver, serveReceiver } from './receiver.ts';

const secrets = ['sk_test_sandbox'];

function setUp(statuses: (number | Error)[] = [], options: SandboxOptions = {}) {
  const receiver = createReceiver(statuses);
  return { ...receiver, sandbox: newSandbox({ fetch: receiver.fetch, ...options }) };
}

/** A payment that has failed: one callback. */
async function fail(sandbox: Sandbox, changes: object = {}): Promise<void> {
  const { reference } = await initiate(sandbox, changes);
  sandbox.control.updatePayment(reference, { status: 'failed' });
}

async function pay(sandbox: Sandbox, changes: object = {}): Promise<void> {
  const { accountNumber } = await initiate(sandbox, changes);
  sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
}

/** As many payouts that are sent, at once: a callback each. */
function sendPayouts({ control }: Sandbox, count: number): void {
  for (let number = 0; number < count; number++) {
    const { id } = control.createPayout({ amount: 1, callbackUrl: goodBody.callbackUrl });
    control.updatePayout(id, { status: 'sent' });
  }
}

const callbacksOf = ({ control }: Sandbox) =>
  control.listCallbacks().map(({ event, state, nextAttemptAt, attempts }) => ({
    event,
    state,
    nextAttemptAt,
    attempts: attempts.map(({ status, error, reason }) => [reason, status ?? error]),
  }));

describe('the request of a callback', () => {
  const metadata = {
    z: 1,
    a: { '10': 'ten', '9': 'nine', b: [], ab: null },
    text: 'Adé ₦1,000 "quoted" \\ / \u2028 \u0001 😀',
    '7': 0.1,
    event: { data: 'data' },
  };

  it.each(['exact', 'lowerCase'] as const)(
    'verifies byte for byte at a receiver, with the URL signed as %s',
    async (signedCallbackUrl) => {
      const { received, url } = await serveReceiver();
      const sandbox = newSandbox({ dialect: { signedCallbackUrl }, fetch: globalThis.fetch });
      await pay(sandbox, { callbackUrl: url, metadata });
      await sandbox.settled();
      expect(received).toHaveLength(2);
      const now = sandbox.now();
      for (const { contentType, ...message } of received) {
        expect(contentType).toBe('application/json');
        await parseCallback({ ...message, callbackUrl: url, secrets, now });
        const isSignedExactly = await parseCallback({
          ...message,
          callbackUrl: url.toLowerCase(),
          secrets,
          now,
        }).then(
          () => false,
          () => true,
        );
        expect(isSignedExactly).toBe(signedCallbackUrl === 'exact');
        const { data } = await parseCallback({ ...message, callbackUrl: url, secrets, now });
        expect(data.metadata).toEqual(metadata);
      }
    },
  );

  it('reaches a handler in this process', async () => {
    const checkoutHandler = async (request: Request): Promise<Response> => {
      const callback = await parseCallback({
        rawBody: new Uint8Array(await request.arrayBuffer()),
        signature: request.headers.get('request-signature'),
        timestamp: request.headers.get('request-timestamp'),
        callbackUrl: goodBody.callbackUrl,
        secrets,
        now: startMs,
      });
      expect(callback).toMatchObject({ event: 'payment.failed', data: { reference: 'ord_1001' } });
      // A handler may ask the sandbox, which has already responded.
      expect((await verify(sandbox)).status).toBe('failed');
      return new Response('ok');
    };
    const sandbox = newSandbox({ fetch: (url, init) => checkoutHandler(new Request(url, init)) });
    await fail(sandbox);
    await sandbox.settled();
    expect(callbacksOf(sandbox)[0]?.state).toBe('delivered');
  });

  it('follows no redirect', async () => {
    let followed = false;
    const { port } = await serve((request, response) => {
      followed ||= request.url === '/elsewhere';
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const sandbox = newSandbox({ fetch: globalThis.fetch });
    await fail(sandbox, { callbackUrl: `http://127.0.0.1:${port}/` });
    await sandbox.settled();
    expect(callbacksOf(sandbox)[0]?.attempts).toEqual([['first', 307]]);
    expect(followed).toBe(false);
  });
});

describe('a callback that is not delivered', () => {
  it('is sent three more times, a minute apart on the sandbox’s clock, with a new signature each time', async () => {
    const { sandbox, received } = setUp([500, 404, 301, 503, 500]);
    await fail(sandbox);
    await sandbox.settled();
    const signatures = new Set<string | null>();
    for (let retry = 0; retry < 3; retry++) {
      sandbox.control.setClock({ advanceSeconds: 59 });
      await sandbox.settled();
      expect(received).toHaveLength(retry + 1);
      expect(callbacksOf(sandbox)[0]?.state).toBe('pending');
      sandbox.control.setClock({ advanceSeconds: 1 });
      await sandbox.settled();
      expect(received).toHaveLength(retry + 2);
      const { headers, rawBody } = received[retry + 1] ?? {};
      const signature = headers?.get('request-signature');
      const timestamp = headers?.get('request-timestamp');
      const { callbackUrl } = goodBody;
      await parseCallback({
        rawBody: rawBody ?? '',
        signature,
        timestamp,
        callbackUrl,
        secrets,
        now: sandbox.now(),
      });
      expect(timestamp).toBe(String(startMs / 1000 + 60 * (retry + 1)));
      signatures.add(signature ?? null);
    }
    expect(signatures.size).toBe(3);
    sandbox.control.setClock({ advanceSeconds: 86_400 });
    await sandbox.settled();
    expect(callbacksOf(sandbox)).toEqual([
      {
        event: 'payment.failed',
        state: 'failed',
        nextAttemptAt: null,
        attempts: [
          ['first', 500],
          ['retry', 404],
          ['retry', 301],
          ['retry', 503],
        ],
      },
    ]);
  });

  it('is aborted after ten seconds without a response, also in this process', async () => {
    const clock = createTestClock(startMs);
    const { sandbox } = setUp([], { now: clock.now, wait: clock.wait, fetch: () => new Promise(() => {}) });
    await fail(sandbox);
    await clock.untilWaiting(10_000);
    clock.advance(10_000);
    await sandbox.settled();
    expect(sandbox.control.listCallbacks()[0]?.attempts).toMatchObject([
      { status: null, error: 'No response within 10 seconds.', durationMs: 10_000 },
    ]);
    await sandbox.close();
  });

  it('neither fails nor delays the request that caused it', async () => {
    const { sandbox } = setUp([], {
      fetch: () => {
        throw new Error('no network here');
      },
    });
    await fail(sandbox);
    expect((await verify(sandbox)).status).toBe('failed');
    await sandbox.settled();
    expect(callbacksOf(sandbox)[0]?.attempts).toEqual([['first', 'no network here']]);
    const { sandbox: slow } = setUp([], { fetch: () => new Promise(() => {}) });
    await fail(slow);
    expect((await verify(slow)).status).toBe('failed');
    await slow.close();
  });
});

describe('the order of callbacks', () => {
  it('is kept for one payment: a later callback waits for the retries of an earlier one', async () => {
    const { sandbox, events } = setUp([500, 500]);
    await pay(sandbox);
    await sandbox.settled();
    expect(events()).toEqual(['payment.charged']);
    sandbox.control.setClock({ advanceSeconds: 60 });
    await sandbox.settled();
    sandbox.control.setClock({ advanceSeconds: 60 });
    await sandbox.settled();
    expect(events()).toEqual(['payment.charged', 'payment.charged', 'payment.charged', 'payment.succeeded']);
  });

  it('is one at a time for each payment and does not delay other payments', async () => {
    const open: string[] = [];
    let release = (): void => {};
    const fetch: SandboxOptions['fetch'] = async (_url, init) => {
      const { event, data } = JSON.parse(String(init?.body));
      open.push(`${data.reference} ${event}`);
      if (data.reference === 'ord_1') {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return new Response();
    };
    const sandbox = newSandbox({ fetch });
    await pay(sandbox, { reference: 'ord_1' });
    await pay(sandbox, { reference: 'ord_2' });
    await settle();
    const all = ['ord_1 payment.charged', 'ord_2 payment.charged', 'ord_2 payment.succeeded'];
    expect(open).toEqual(all);
    release();
    await settle();
    expect(open).toEqual([...all, 'ord_1 payment.succeeded']);
    release();
    await sandbox.settled();
  });
});

describe('many callbacks at once', () => {
  it('are sent 50 at a time, all of them', async () => {
    let underWay = 0;
    let most = 0;
    const fetch: SandboxOptions['fetch'] = async () => {
      most = Math.max(most, ++underWay);
      await settle();
      underWay--;
      return new Response();
    };
    const sandbox = newSandbox({ fetch });
    sendPayouts(sandbox, 120);
    await sandbox.settled();
    expect(most).toBe(50);
    expect(callbacksOf(sandbox).map(({ state }) => state)).toEqual(Array(120).fill('delivered'));
  });
});

describe('the timer of the callbacks', () => {
  it('sets no timer while the clock is frozen, nor after closing', async () => {
    const clock = createTestClock(startMs);
    const { sandbox, events } = setUp([], { now: clock.now, wait: clock.wait });
    await initiate(sandbox, { expiresIn: 100 });
    sandbox.control.setClock({ frozen: true });
    await sandbox.settled();
    expect(clock.pending()).toBe(0);
    clock.advance(1_000_000);
    sandbox.control.setClock({ frozen: false });
    await sandbox.settled();
    expect(clock.pending()).toBe(1);
    await sandbox.close();
    expect(clock.pending()).toBe(0);
    await initiate(sandbox, { reference: 'ord_2' });
    expect(clock.pending()).toBe(0);
    clock.advance(1_000_000);
    await verify(sandbox);
    await sandbox.settled();
    expect(events()).toEqual([]);
  });

  it('sets the timer again for a time beyond its longest wait', async () => {
    const clock = createTestClock(startMs);
    const waits: number[] = [];
    const wait: Wait = (ms, signal) => {
      waits.push(ms);
      return clock.wait(ms, signal);
    };
    const { sandbox, events } = setUp([], { now: clock.now, wait });
    await initiate(sandbox, { expiresIn: 30 * 86_400 });
    clock.advance(29 * 86_400_000);
    await settle();
    expect(clock.pending()).toBe(1);
    clock.advance(86_400_000);
    await settle();
    expect(events()).toEqual(['payment.expired']);
    expect(Math.max(...waits)).toBe(2 ** 31 - 1);
  });

  it('does not loop when waits take no time', async () => {
    let waits = 0;
    const sandbox = newSandbox({
      wait: async () => {
        waits++;
      },
    });
    await initiate(sandbox);
    await settle();
    expect(waits).toBeLessThan(10);
  });

  it('does not keep the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const { sandbox } = setUp([], { now: Date.now, fetch: () => new Promise(() => {}) });
    await fail(sandbox);
    await initiate(sandbox, { reference: 'ord_2' });
    expect(timers()).toBe(before);
    await sandbox.close();
  });

  it('delays no retry when the clock is set back', async () => {
    const { sandbox, received } = setUp([500]);
    sandbox.control.setClock({ advanceSeconds: 86_400 });
    await fail(sandbox);
    await sandbox.settled();
    sandbox.control.setClock({ set: '2026-01-02T09:30:00.000Z' });
    expect(callbacksOf(sandbox)[0]?.nextAttemptAt).toBe('2026-01-02T09:31:00.000Z');
    sandbox.control.setClock({ advanceSeconds: 60 });
    await sandbox.settled();
    expect(received).toHaveLength(2);
  });
});

describe('a clock that is set back during an attempt', () => {
  it('delays neither its retry nor its duplicate', async () => {
    const statuses = [500, 204, 204];
    const sandbox = newSandbox({
      fetch: async () => {
        sandbox.control.setClock({ set: new Date(sandbox.now() - 86_400_000).toISOString() });
        return new Response(null, { status: statuses.shift() ?? 204 });
      },
    });
    sandbox.control.setCallbackDelivery({ double: true });
    await fail(sandbox);
    await sandbox.settled();
    expect(callbacksOf(sandbox)[0]?.nextAttemptAt).toBe('2026-01-01T09:31:00.000Z');
    sandbox.control.setClock({ advanceSeconds: 60 });
    await sandbox.settled();
    const attempts = [
      ['first', 500],
      ['retry', 204],
      ['double', 204],
    ];
    expect(callbacksOf(sandbox)[0]?.attempts).toEqual(attempts);
  });
});

describe('a sandbox that is closed', () => {
  it('aborts attempts in progress and leaves them for the next sandbox', async () => {
    const storage = memoryStorage();
    let isAborted = false;
    const hanging: SandboxOptions['fetch'] = (_url, init) =>
      new Promise(() => {
        init?.signal?.addEventListener('abort', () => {
          isAborted = true;
        });
      });
    const first = newSandbox({ storage, fetch: hanging });
    await fail(first);
    await settle();
    await first.close();
    expect(isAborted).toBe(true);
    const second = setUp([], { storage });
    await second.sandbox.settled();
    expect(callbacksOf(second.sandbox)).toMatchObject([{ state: 'delivered', attempts: [['first', 204]] }]);
  });
});

describe('a storage that fails', () => {
  it('sends no callback and makes settled() reject', async () => {
    const receiver = createReceiver();
    let isFull = false;
    const append = async (): Promise<void> => {
      if (isFull) throw new Error('ENOSPC');
    };
    const sandbox = newSandbox({ fetch: receiver.fetch, storage: { entries: [], append } });
    await initiate(sandbox);
    isFull = true;
    sandbox.control.updatePayment('ord_1001', { status: 'failed' });
    await expect(sandbox.settled()).rejects.toThrow(/ENOSPC/);
    expect(receiver.received).toEqual([]);
  });
});
