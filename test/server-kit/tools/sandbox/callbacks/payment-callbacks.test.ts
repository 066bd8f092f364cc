import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { initiate, memoryStorage, newSandbox, verify } from '../sandbox-kit.ts';
import { createReceiver } from './receiver.ts';

function setUp(options: SandboxOptions = {}) {
  const receiver = createReceiver();
  return { ...receiver, sandbox: newSandbox({ fetch: receiver.fetch, ...options }) };
}

describe('the callbacks of a payment', () => {
  it('are sent for each new status, with the record of verify without the token', async () => {
    const { sandbox, received, events } = setUp();
    const { accountNumber } = await initiate(sandbox);
    sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
    await sandbox.settled();
    expect(events()).toEqual(['payment.charged', 'payment.succeeded']);
    const { accessToken, ...shown } = await verify(sandbox);
    expect(accessToken).toMatch(/^tok_/);
    expect(received[1]?.data).toEqual(shown);
    expect(received[0]?.data).toEqual({ ...shown, status: 'charged' });
    expect(received.map(({ url }) => url)).toEqual([
      'https://shop.example/callbacks',
      'https://shop.example/callbacks',
    ]);
  });

  it('are sent for each part of the money, as of that time', async () => {
    const { sandbox, received } = setUp();
    const { accountNumber } = await initiate(sandbox);
    sandbox.control.updatePayment('ord_1001', {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    for (const amount of [250_000, 400_000, 600_000]) sandbox.control.transfer({ accountNumber, amount });
    await sandbox.settled();
    expect(received.map(({ event, data }) => [event, data.status, data.chargedAmount])).toEqual([
      ['payment.awaiting_charge', 'awaiting_charge', 250_000],
      ['payment.awaiting_charge', 'awaiting_charge', 650_000],
      ['payment.charged', 'charged', 1_250_000],
      ['payment.succeeded', 'succeeded', 1_250_000],
    ]);
  });

  it('are sent for changes that time makes, each at its own time', async () => {
    const { sandbox, received } = setUp({ confirmationSeconds: 60 });
    const { accountNumber } = await initiate(sandbox, { reference: 'ord_1', expiresIn: 600 });
    await initiate(sandbox, { reference: 'ord_2', expiresIn: 300 });
    sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
    sandbox.control.setClock({ advanceSeconds: 1000 });
    await sandbox.settled();
    expect(received.map(({ event, data }) => [event, data.reference, data.updatedAt])).toEqual(
      expect.arrayContaining([
        ['payment.charged', 'ord_1', '2026-01-02T09:30:00.000Z'],
        ['payment.succeeded', 'ord_1', '2026-01-02T09:31:00.000Z'],
        ['payment.expired', 'ord_2', '2026-01-02T09:35:00.000Z'],
      ]),
    );
    expect(received).toHaveLength(3);
  });
});

it('have the unit and the event names of the dialect', async () => {
  const dialect = { amountUnit: 'major', callbackEvent: '{status}:{record}' } as const;
  const { sandbox, received } = setUp({ dialect });
  const { accountNumber } = await initiate(sandbox, { amount: { value: 0.29, currency: 'NGN' } });
  sandbox.control.transfer({ accountNumber, amount: 29 });
  await sandbox.settled();
  const data = { expectedAmount: 0.29, chargedAmount: 0.29 };
  expect(received[0]).toMatchObject({ event: 'charged:payment', data });
});

describe('the callbacks after a restart', () => {
  it('report no change twice, and lose none in the meantime', async () => {
    const storage = memoryStorage();
    const first = setUp({ storage, confirmationSeconds: 60 });
    const { accountNumber } = await initiate(first.sandbox, { reference: 'ord_1' });
    await initiate(first.sandbox, { reference: 'ord_2', expiresIn: 60 });
    first.sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
    await first.sandbox.settled();
    expect(first.events()).toEqual(['payment.charged']);
    await first.sandbox.close();

    const later = first.sandbox.now() + 100_000;
    const second = setUp({ storage, confirmationSeconds: 60, now: () => later });
    await second.sandbox.settled();
    expect(second.events().sort()).toEqual(['payment.expired', 'payment.succeeded']);
    await second.sandbox.close();

    const third = setUp({ storage, now: () => later });
    await third.sandbox.settled();
    expect(third.received).toEqual([]);
    expect(third.sandbox.control.listCallbacks()).toHaveLength(3);
  });

  it('are stored together with their change or not at all', async () => {
    const storage = memoryStorage();
    const writes: string[][] = [];
    const sandbox = newSandbox({
      fetch: createReceiver().fetch,
      storage: {
        entries: [],
        append: async (entries) => {
          writes.push(entries.map(([collection]) => collection));
          await storage.append(entries);
        },
      },
    });
    const { accountNumber } = await initiate(sandbox);
    writes.length = 0;
    sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
    await sandbox.settled();
    expect(writes[0]).toEqual(['payments', 'callbacks', 'callbacks']);
  });
});

describe('a clock that is set back', () => {
  it('keeps reported changes and reports the rest', async () => {
    const { sandbox, received } = setUp();
    const { accountNumber } = await initiate(sandbox);
    sandbox.control.setClock({ advanceSeconds: 1000 });
    sandbox.control.setClock({ set: '2026-01-02T09:30:00.000Z' });
    expect((await verify(sandbox)).status).toBe('expired');
    sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
    await sandbox.settled();
    expect(received.map(({ event, data }) => [event, data.updatedAt])).toEqual([
      ['payment.expired', '2026-01-02T09:45:00.000Z'],
      ['payment.charged', '2026-01-02T09:45:00.000Z'],
      ['payment.succeeded', '2026-01-02T09:45:00.000Z'],
    ]);
  });
});
