import { describe, expect, it, vi } from 'vitest';
import { parseCallback } from '../../../../../server-kit/core/signature.ts';
import type { DeliverySwitch } from '../../../../../server-kit/tools/sandbox/callbacks/attempts.ts';
import type { Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { settle } from '../../../../settle.ts';
import { createGate } from '../../../kit/gate.ts';
import { serve } from '../../../kit/serve.ts';
import { createTestClock } from '../../../kit/test-clock.ts';
import {
  controlCall,
  goodBody,
  initiate,
  memoryStorage,
  newSandbox,
  startMs,
  verify,
} from '../sandbox-kit.ts';
import { fail, pay, serveReceiver, withReceiver } from './receiver.ts';

const secrets = ['sk_test_sandbox'];
const { callbackUrl } = goodBody;

/** The state of each callback, newest first, and why and with what result it was sent. */
const attemptsOf = ({ control }: Pick<Sandbox, 'control'>) =>
  control
    .listCallbacks()
    .map(({ state, attempts }) => [
      state,
      ...attempts.map(({ reason, status, error }) => `${reason} ${status ?? error}`),
    ]);

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
      for (const { contentType, ...message } of received) {
        expect(contentType).toBe('application/json');
        const parse = (at: string) =>
          parseCallback({ ...message, callbackUrl: at, secrets, now: sandbox.now() });
        expect((await parse(url)).data.metadata).toEqual(metadata);
        const [inLowerCase] = await Promise.allSettled([parse(url.toLowerCase())]);
        expect(inLowerCase.status).toBe(signedCallbackUrl === 'exact' ? 'rejected' : 'fulfilled');
      }
    },
  );

  it('has the user and the password of the URL in a header', async () => {
    const { sandbox, settled, received } = withReceiver();
    const withUser = 'https://shop:p%40ss@hooks.example/callbacks';
    await fail(sandbox, { callbackUrl: withUser });
    await settled();
    expect(received[0]?.url).toBe('https://hooks.example/callbacks');
    const basic = `Basic ${Buffer.from('shop:p@ss').toString('base64')}`;
    expect(received[0]?.headers.get('authorization')).toBe(basic);
    expect((await verify(sandbox)).callbackUrl).toBe(withUser);
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
    expect(attemptsOf(sandbox)).toEqual([['pending', 'first 307']]);
    expect(followed).toBe(false);
  });
});

/** What was done, and what the receiver gets of it: the second, and the new status of the payment. */
type Row = [string, Partial<DeliverySwitch>, typeof pay, statuses: number[], sent: string, states: string];

it.each<Row>([
  [
    'is retried three times',
    {},
    fail,
    [500, 404, 301, 503, 500],
    '0 failed, 60 failed, 120 failed, 180 failed',
    'failed',
  ],
  [
    'waits for the retries of an earlier one of its payment',
    {},
    pay,
    [500, 500],
    '0 charged, 60 charged, 120 charged, 120 succeeded',
    'delivered delivered',
  ],
  ['is never sent, but logged, if it is dropped', { drop: 1 }, pay, [], '', 'dropped dropped'],
  [
    'is sent again once it is delivered',
    { double: 1 },
    pay,
    [204, 500, 500],
    '0 charged, 0 charged, 0 succeeded, 60 succeeded, 60 succeeded',
    'delivered delivered',
  ],
  ['is delayed', { delaySeconds: 90 }, fail, [], '90 failed', 'delivered'],
  [
    'is sent before older ones, without a wait for retries',
    { reorder: true },
    pay,
    [204, 500],
    '0 succeeded, 0 charged, 60 charged',
    'delivered delivered',
  ],
])(
  'a callback %s, on the sandbox’s clock, signed each time',
  async (_name, setting, act, statuses, sent, states) => {
    const { sandbox, settled, received, pass, control } = withReceiver(statuses);
    control.setCallbackDelivery(setting);
    await act(sandbox);
    await settled();
    for (let seconds = 0; seconds < 200; seconds++) await pass(1);
    const timeline = received.map(
      ({ data, timestamp }) => `${Number(timestamp) - startMs / 1000} ${data.status}`,
    );
    expect(timeline.join(', ')).toBe(sent);
    expect(
      attemptsOf(sandbox)
        .map(([state]) => state)
        .join(' '),
    ).toBe(states);
    for (const message of received)
      await parseCallback({ ...message, callbackUrl, secrets, now: Number(message.timestamp) * 1000 });
  },
);

describe('a callback that is not delivered', () => {
  it('is aborted after ten seconds without a response, also in this process', async () => {
    const { now, wait, untilWaiting, advance } = createTestClock(startMs);
    const sandbox = newSandbox({ now, wait, fetch: () => new Promise(() => {}) });
    await fail(sandbox);
    await untilWaiting(10_000);
    advance(10_000);
    await sandbox.settled();
    expect(sandbox.control.listCallbacks()[0]?.attempts).toMatchObject([
      { status: null, error: 'No response within 10 seconds.', durationMs: 10_000 },
    ]);
    await sandbox.close();
  });

  it('does not fail the request that caused it', async () => {
    const sandbox = newSandbox({ fetch: () => Promise.reject(new Error('no network here')) });
    await fail(sandbox);
    expect((await verify(sandbox)).status).toBe('failed');
    await settle();
    expect(attemptsOf(sandbox)).toEqual([['pending', 'first no network here']]);
    await sandbox.close();
  });
});

it('the order of callbacks is 50 at a time of many, until all are sent', async () => {
  let underWay = 0;
  let most = 0;
  const sandbox = newSandbox({
    fetch: async () => {
      most = Math.max(most, ++underWay);
      await settle();
      underWay--;
      return new Response();
    },
  });
  for (let number = 0; number < 120; number++) {
    const { id } = sandbox.control.createPayout({ amount: 1, callbackUrl });
    sandbox.control.updatePayout(id, { status: 'sent' });
  }
  await sandbox.settled();
  expect(most).toBe(50);
  expect(attemptsOf(sandbox)).toEqual(Array(120).fill(['delivered', 'first 200']));
});

describe('the timer of the callbacks', () => {
  it('sets no timer while the clock is frozen, nor after closing', async () => {
    const clock = createTestClock(startMs);
    const { sandbox, settled, control, events } = withReceiver([], { now: clock.now, wait: clock.wait });
    await initiate(sandbox, { expiresIn: 100 });
    for (const [frozen, timers] of [
      [true, 0],
      [false, 1],
    ] as const) {
      control.setClock({ frozen });
      await settled();
      expect(clock.pending()).toBe(timers);
      clock.advance(frozen ? 1_000_000 : 0);
    }
    await sandbox.close();
    await initiate(sandbox, { reference: 'ord_2' });
    expect(clock.pending()).toBe(0);
    clock.advance(1_000_000);
    await verify(sandbox);
    await settled();
    expect(events()).toEqual([]);
  });

  it('sets the timer again for a time beyond its longest wait', async () => {
    const clock = createTestClock(startMs);
    const wait = vi.fn(clock.wait);
    const { sandbox, events } = withReceiver([], { now: clock.now, wait });
    await initiate(sandbox, { expiresIn: 30 * 86_400 });
    for (const days of [29, 1]) {
      expect(clock.pending()).toBe(1);
      clock.advance(days * 86_400_000);
      await settle();
    }
    expect(events()).toEqual(['payment.expired']);
    expect(Math.max(...wait.mock.calls.map(([ms]) => ms))).toBe(2 ** 31 - 1);
  });

  it('does not loop when waits take no time', async () => {
    const wait = vi.fn(async () => {});
    await initiate(newSandbox({ wait }));
    await settle();
    expect(wait.mock.calls.length).toBeLessThan(10);
  });

  it('does not keep the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const sandbox = newSandbox({ now: Date.now, fetch: () => new Promise(() => {}) });
    await fail(sandbox);
    await initiate(sandbox, { reference: 'ord_2' });
    expect(timers()).toBe(before);
    await sandbox.close();
  });

  it('delays neither a retry nor a duplicate when the clock is set back during an attempt', async () => {
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
    expect(sandbox.control.listCallbacks()[0]?.nextAttemptAt).toBe('2026-01-01T09:31:00.000Z');
    sandbox.control.setClock({ advanceSeconds: 60 });
    await sandbox.settled();
    expect(attemptsOf(sandbox)).toEqual([['delivered', 'first 500', 'retry 204', 'double 204']]);
  });
});

it('a sandbox that is closed aborts attempts in progress and leaves them for the next sandbox', async () => {
  const storage = memoryStorage();
  const fetch = vi.fn<typeof globalThis.fetch>(() => new Promise(() => {}));
  const first = newSandbox({ storage, fetch });
  await fail(first);
  await settle();
  await first.close();
  expect(fetch.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  const { sandbox, settled } = withReceiver([], { storage });
  await settled();
  expect(attemptsOf(sandbox)).toEqual([['delivered', 'first 204']]);
});

it('a storage that fails sends no callback and makes settled() reject', async () => {
  const append = vi.fn(async () => {});
  const { sandbox, settled, control, received } = withReceiver([], { storage: { entries: [], append } });
  await initiate(sandbox);
  append.mockRejectedValue(new Error('ENOSPC'));
  control.updatePayment('ord_1001', { status: 'failed' });
  await expect(settled()).rejects.toThrow(/ENOSPC/);
  expect(received).toEqual([]);
});

it('GET /_sandbox/callbacks lists the newest first, with every attempt', async () => {
  const { sandbox, settled, control } = withReceiver([500]);
  await fail(sandbox, { reference: 'ord_1' });
  await fail(sandbox, { reference: 'ord_2' });
  await settled();
  const { data } = (await controlCall(sandbox, '/_sandbox/callbacks')).body;
  expect(data).toEqual(JSON.parse(JSON.stringify(control.listCallbacks())));
  expect(data).toHaveLength(2);
  const signature = expect.stringMatching(/^[0-9a-f]{128}$/);
  const at = '2026-01-02T09:30:00.000Z';
  const made = { at, status: 500, error: null, durationMs: 0, timestamp: '1767346200', reason: 'first' };
  expect(data[1]).toEqual({
    id: expect.stringMatching(/^cbk_/),
    event: 'payment.failed',
    record: 'payment',
    recordId: expect.stringMatching(/^pay_/),
    reference: 'ord_1',
    url: callbackUrl,
    body: expect.stringMatching(/^\{"event":"payment.failed","data":\{"id":"pay_/),
    createdAt: at,
    state: 'pending',
    nextAttemptAt: '2026-01-02T09:31:00.000Z',
    attempts: [{ ...made, signature }],
  });
});

describe('POST /_sandbox/callbacks/{id}/resend', () => {
  const resend = async ({ sandbox, settled }: ReturnType<typeof withReceiver>) => {
    const [{ id } = { id: '' }] = sandbox.control.listCallbacks();
    const response = await controlCall(sandbox, `/_sandbox/callbacks/${id}/resend`, {});
    await settled();
    return response;
  };

  it('sends a delivered callback again unchanged', async () => {
    const shop = withReceiver();
    await fail(shop.sandbox);
    await shop.settled();
    const { status, body } = await resend(shop);
    expect([status, body.state]).toEqual([200, 'delivered']);
    expect(shop.received[1]?.rawBody).toBe(shop.received[0]?.rawBody);
    expect(attemptsOf(shop)).toEqual([['delivered', 'first 204', 'resend 204']]);
  });

  it('sends a dropped callback once', async () => {
    const shop = withReceiver();
    shop.control.setCallbackDelivery({ drop: true, double: true });
    await fail(shop.sandbox);
    await shop.settled();
    await resend(shop);
    expect(attemptsOf(shop)).toEqual([['delivered', 'resend 204']]);
  });

  it('is kept when it is requested during an attempt', async () => {
    const gate = createGate();
    const sandbox = newSandbox({ fetch: () => gate.opened.then(() => new Response()) });
    await fail(sandbox);
    await settle();
    sandbox.control.resendCallback(sandbox.control.listCallbacks()[0]?.id ?? '');
    gate.open();
    await sandbox.settled();
    expect(attemptsOf(sandbox)).toEqual([['delivered', 'first 200', 'resend 200']]);
  });
});

it('/_sandbox/callback_delivery is off at first, changes the given fields, and survives restarts', async () => {
  const path = '/_sandbox/callback_delivery';
  const storage = memoryStorage();
  const sandbox = newSandbox({ storage });
  const off = { drop: 0, double: 0, delaySeconds: 0, reorder: false };
  expect((await controlCall(sandbox, path)).body).toEqual(off);
  await controlCall(sandbox, path, { drop: 0.5, reorder: true });
  const changed = await controlCall(sandbox, path, { double: true, drop: false, delaySeconds: 5 });
  expect(changed.body).toEqual({ drop: 0, double: 1, delaySeconds: 5, reorder: true });
  expect(newSandbox({ storage }).control.readCallbackDelivery()).toEqual(changed.body);
});
