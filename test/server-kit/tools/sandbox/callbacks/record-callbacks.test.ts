import { describe, expect, it, vi } from 'vitest';
import type { StoredRecord } from '../../../../../server-kit/tools/sandbox/index.ts';
import { call, goodBody, initiate, memoryStorage, newSandbox, verify } from '../sandbox-kit.ts';
import { pay, withReceiver } from './receiver.ts';

const { callbackUrl } = goodBody;

describe('the callbacks of a payment', () => {
  it('are sent for each new status, with the record of verify without the token', async () => {
    const { sandbox, settled, received } = withReceiver();
    await pay(sandbox);
    await settled();
    const { accessToken, ...shown } = await verify(sandbox);
    expect(accessToken).toMatch(/^tok_/);
    expect(received.map(({ url, event, data }) => ({ url, event, data }))).toEqual([
      { url: callbackUrl, event: 'payment.charged', data: { ...shown, status: 'charged' } },
      { url: callbackUrl, event: 'payment.succeeded', data: shown },
    ]);
  });

  it('are sent for each part of the money, as of that time', async () => {
    const { sandbox, control, settled, received } = withReceiver();
    const { accountNumber } = await initiate(sandbox);
    control.updatePayment('ord_1001', { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' });
    for (const amount of [250_000, 400_000, 600_000]) control.transfer({ accountNumber, amount });
    await settled();
    expect(received.map(({ event, data }) => [event, data.status, data.chargedAmount])).toEqual([
      ['payment.awaiting_charge', 'awaiting_charge', 250_000],
      ['payment.awaiting_charge', 'awaiting_charge', 650_000],
      ['payment.charged', 'charged', 1_250_000],
      ['payment.succeeded', 'succeeded', 1_250_000],
    ]);
  });

  it('are sent for changes that time makes, each at its own time', async () => {
    const { sandbox, pass, received } = withReceiver([], { confirmationSeconds: 60 });
    await pay(sandbox, { reference: 'ord_1', expiresIn: 600 });
    await initiate(sandbox, { reference: 'ord_2', expiresIn: 300 });
    await pass(1000);
    expect(received.map(({ event, data }) => [event, data.reference, data.updatedAt]).sort()).toEqual([
      ['payment.charged', 'ord_1', '2026-01-02T09:30:00.000Z'],
      ['payment.expired', 'ord_2', '2026-01-02T09:35:00.000Z'],
      ['payment.succeeded', 'ord_1', '2026-01-02T09:31:00.000Z'],
    ]);
  });

  it('have the unit and the event names of the dialect', async () => {
    const dialect = { amountUnit: 'major', callbackEvent: '{status}:{record}' } as const;
    const { sandbox, control, settled, received } = withReceiver([], { dialect });
    const { accountNumber } = await initiate(sandbox, { amount: { value: 0.29, currency: 'NGN' } });
    control.transfer({ accountNumber, amount: 29 });
    await settled();
    const data = { expectedAmount: 0.29, chargedAmount: 0.29 };
    expect(received[0]).toMatchObject({ event: 'charged:payment', data });
  });

  it('report after a restart no change twice, and lose none in the meantime', async () => {
    const storage = memoryStorage();
    const first = withReceiver([], { storage, confirmationSeconds: 60 });
    await pay(first.sandbox, { reference: 'ord_1' });
    await initiate(first.sandbox, { reference: 'ord_2', expiresIn: 60 });
    await first.settled();
    expect(first.events()).toEqual(['payment.charged']);
    await first.sandbox.close();

    const later = first.sandbox.now() + 100_000;
    const second = withReceiver([], { storage, confirmationSeconds: 60, now: () => later });
    await second.settled();
    expect(second.events().sort()).toEqual(['payment.expired', 'payment.succeeded']);
    await second.sandbox.close();

    const third = withReceiver([], { storage, now: () => later });
    await third.settled();
    expect(third.received).toEqual([]);
    expect(third.control.listCallbacks()).toHaveLength(3);
  });

  it('are stored together with their change or not at all', async () => {
    const append = vi.fn(async (_entries: readonly StoredRecord[]) => {});
    const sandbox = newSandbox({ storage: { entries: [], append } });
    await pay(sandbox);
    await sandbox.settled();
    const written = append.mock.calls[1]?.[0].map(([collection]) => collection);
    expect(written).toEqual(['payments', 'callbacks', 'callbacks']);
  });

  it('keep reported changes when the clock is set back, and report the rest', async () => {
    const { sandbox, control, settled, received } = withReceiver();
    const { accountNumber } = await initiate(sandbox);
    control.setClock({ advanceSeconds: 1000 });
    control.setClock({ set: '2026-01-02T09:30:00.000Z' });
    expect((await verify(sandbox)).status).toBe('expired');
    control.transfer({ accountNumber, amount: 1_250_000 });
    await settled();
    expect(received.map(({ event, data }) => [event, data.updatedAt])).toEqual([
      ['payment.expired', '2026-01-02T09:45:00.000Z'],
      ['payment.charged', '2026-01-02T09:45:00.000Z'],
      ['payment.succeeded', '2026-01-02T09:45:00.000Z'],
    ]);
  });
});

it('an invoice calls back with each change from any caller, in the unit of the dialect', async () => {
  const { sandbox, control, settled, received } = withReceiver([], { dialect: { amountUnit: 'major' } });
  const { id } = control.createInvoice({ amountDue: 1000, callbackUrl, status: 'draft' });
  control.updateInvoice(id, { status: 'open' });
  control.payInvoice(id, { amount: 29 });
  await call(sandbox, `/v1/invoices/${id}/cancel`, { body: { cancellationReason: 'Sold out' } });
  await settled();
  const ofInvoice = received.filter(({ event }) => event.startsWith('invoice.'));
  const statuses = ['open', 'partially_paid', 'cancelled'];
  expect(ofInvoice.map(({ event }) => event)).toEqual(statuses.map((status) => `invoice.${status}`));
  expect(ofInvoice[1]?.data).toMatchObject({ id, amountDue: 10, amountPaid: 0.29 });
});

it('keeps all pending callbacks and the last 1,000 others', () => {
  const { control } = newSandbox();
  const refuse = (reference: string): void => {
    const { id } = control.createInvoice({ amountDue: 1000, reference, callbackUrl });
    control.updateInvoice(id, { status: 'cancelled' });
  };
  control.setCallbackDelivery({ delaySeconds: 60 });
  refuse('pending');
  control.setCallbackDelivery({ drop: true });
  for (let made = 0; made < 1_002; made++) refuse(`dropped-${made}`);
  const kept = control.listCallbacks();
  expect(kept).toHaveLength(1_001);
  expect(kept.slice(-2).map(({ reference, state }) => [reference, state])).toEqual([
    ['dropped-2', 'dropped'],
    ['pending', 'pending'],
  ]);
});
