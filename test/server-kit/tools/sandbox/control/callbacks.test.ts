import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { settle } from '../../../../settle.ts';
import { createReceiver } from '../callbacks/receiver.ts';
import { controlCall, initiate, memoryStorage, newSandbox } from '../sandbox-kit.ts';

function setUp(responses: (number | Error)[] = [], options: SandboxOptions = {}) {
  const receiver = createReceiver(responses);
  return { ...receiver, sandbox: newSandbox({ fetch: receiver.fetch, ...options }) };
}

async function fail(sandbox: Sandbox, reference = 'ord_1'): Promise<void> {
  await initiate(sandbox, { reference });
  sandbox.control.updatePayment(reference, { status: 'failed' });
}

async function pay(sandbox: Sandbox): Promise<void> {
  const { accountNumber } = await initiate(sandbox);
  sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
}

const reasonsOf = ({ control }: Sandbox) =>
  control.listCallbacks().map(({ state, attempts }) => [state, ...attempts.map(({ reason }) => reason)]);

describe('GET /_sandbox/callbacks', () => {
  it('lists the newest first, with every attempt', async () => {
    const { sandbox } = setUp([500]);
    await fail(sandbox, 'ord_1');
    await sandbox.settled();
    await fail(sandbox, 'ord_2');
    await sandbox.settled();
    const { status, body } = await controlCall(sandbox, '/_sandbox/callbacks');
    expect(status).toBe(200);
    expect(body).toEqual({ data: JSON.parse(JSON.stringify(sandbox.control.listCallbacks())) });
    expect(body.data).toHaveLength(2);
    expect(body.data[1]).toEqual({
      id: expect.stringMatching(/^cbk_/),
      event: 'payment.failed',
      record: 'payment',
      recordId: expect.stringMatching(/^pay_/),
      reference: 'ord_1',
      url: 'https://shop.example/callbacks',
      body: expect.stringMatching(/^\{"event":"payment.failed","data":\{"id":"pay_/),
      createdAt: '2026-01-02T09:30:00.000Z',
      state: 'pending',
      nextAttemptAt: '2026-01-02T09:31:00.000Z',
      attempts: [
        {
          at: '2026-01-02T09:30:00.000Z',
          status: 500,
          error: null,
          durationMs: 0,
          signature: expect.stringMatching(/^[0-9a-f]{128}$/),
          timestamp: '1767346200',
          reason: 'first',
        },
      ],
    });
  });
});

describe('POST /_sandbox/callbacks/{id}/resend', () => {
  const resend = async (sandbox: Sandbox) => {
    const [{ id } = { id: '' }] = sandbox.control.listCallbacks();
    const response = await controlCall(sandbox, `/_sandbox/callbacks/${id}/resend`, {});
    await sandbox.settled();
    return response;
  };

  it('sends a delivered callback again unchanged', async () => {
    const { sandbox, received } = setUp();
    await fail(sandbox);
    await sandbox.settled();
    const { status, body } = await resend(sandbox);
    expect([status, body.state, body.nextAttemptAt]).toEqual([200, 'delivered', '2026-01-02T09:30:00.000Z']);
    expect(received[1]?.rawBody).toBe(received[0]?.rawBody);
    expect(reasonsOf(sandbox)).toEqual([['delivered', 'first', 'resend']]);
  });

  it('sends a dropped callback once', async () => {
    const { sandbox, received } = setUp();
    sandbox.control.setCallbackDelivery({ drop: true, double: true });
    await fail(sandbox);
    await sandbox.settled();
    await resend(sandbox);
    expect(received).toHaveLength(1);
    expect(reasonsOf(sandbox)).toEqual([['delivered', 'resend']]);
  });

  it('is kept when it is requested during an attempt', async () => {
    let release = (): void => {};
    const responses: (() => Promise<void>)[] = [
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    ];
    const { sandbox } = setUp([], {
      fetch: async () => {
        await responses.shift()?.();
        return new Response();
      },
    });
    await fail(sandbox);
    await settle();
    sandbox.control.resendCallback(sandbox.control.listCallbacks()[0]?.id ?? '');
    release();
    await sandbox.settled();
    expect(reasonsOf(sandbox)).toEqual([['delivered', 'first', 'resend']]);
  });
});

describe('/_sandbox/callback_delivery', () => {
  const path = '/_sandbox/callback_delivery';
  const off = { drop: 0, double: 0, delaySeconds: 0, reorder: false };

  it('is off at first, changes the given fields, and survives restarts', async () => {
    const storage = memoryStorage();
    const { sandbox } = setUp([], { storage });
    expect((await controlCall(sandbox, path)).body).toEqual(off);
    await controlCall(sandbox, path, { drop: 0.5, reorder: true });
    const changed = await controlCall(sandbox, path, { double: true, drop: false, delaySeconds: 5 });
    expect(changed.body).toEqual({ drop: 0, double: 1, delaySeconds: 5, reorder: true });
    expect(setUp([], { storage }).sandbox.control.readCallbackDelivery()).toEqual(changed.body);
  });

  it('drops a callback, which is logged but never sent', async () => {
    const { sandbox, received } = setUp();
    sandbox.control.setCallbackDelivery({ drop: true });
    await pay(sandbox);
    sandbox.control.setCallbackDelivery({ drop: false });
    sandbox.control.setClock({ advanceSeconds: 86_400 });
    await sandbox.settled();
    expect(received).toEqual([]);
    expect(reasonsOf(sandbox)).toEqual([['dropped'], ['dropped']]);
  });

  it('sends a delivered callback again', async () => {
    const { sandbox, received } = setUp([204, 500, 500]);
    sandbox.control.setCallbackDelivery({ double: true });
    await pay(sandbox);
    await sandbox.settled();
    expect(received.map(({ event }) => event)).toEqual([
      'payment.charged',
      'payment.charged',
      'payment.succeeded',
    ]);
    sandbox.control.setClock({ advanceSeconds: 60 });
    await sandbox.settled();
    expect(reasonsOf(sandbox)).toEqual([
      ['delivered', 'first', 'retry', 'double'],
      ['delivered', 'first', 'double'],
    ]);
  });

  it("delays on the sandbox's clock", async () => {
    const { sandbox, received } = setUp();
    sandbox.control.setCallbackDelivery({ delaySeconds: 90 });
    await fail(sandbox);
    sandbox.control.setClock({ advanceSeconds: 89 });
    await sandbox.settled();
    expect(received).toEqual([]);
    sandbox.control.setClock({ advanceSeconds: 1 });
    await sandbox.settled();
    expect(received[0]?.headers.get('request-timestamp')).toBe('1767346290');
  });

  it('sends the newest callback of one payment first, without a wait for retries', async () => {
    const { sandbox, events } = setUp([204, 500]);
    sandbox.control.setCallbackDelivery({ reorder: true });
    await pay(sandbox);
    await sandbox.settled();
    expect(events()).toEqual(['payment.succeeded', 'payment.charged']);
    sandbox.control.updatePayment('ord_1001', { status: 'reversed' });
    await sandbox.settled();
    expect(events()).toEqual(['payment.succeeded', 'payment.charged', 'payment.reversed']);
  });
});
