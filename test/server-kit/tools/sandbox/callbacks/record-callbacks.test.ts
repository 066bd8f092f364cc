import { expect, it } from 'vitest';
import { individual } from '../../../kit/account-requests.ts';
import { call, newSandbox } from '../sandbox-kit.ts';
import { createReceiver } from './receiver.ts';

const callbackUrl = 'https://shop.example/callbacks';

it('a payout calls back with each change, but not when it is created', async () => {
  const { fetch, received, events } = createReceiver();
  const { control, settled } = newSandbox({ fetch });
  const { id } = control.createPayout({
    amount: 12_345,
    reference: 'po_ref',
    callbackUrl,
    requiresConfirmation: true,
  });
  await settled();
  expect(events()).toEqual([]);
  control.updatePayout(id, { confirmationState: 'confirmed' });
  control.updatePayout(id, { status: 'sent' });
  control.updatePayout(id, { status: 'failed' });
  await settled();
  expect(events()).toEqual(['payout.pending', 'payout.sent', 'payout.failed']);
  expect(received[2]?.data).toEqual(control.listPayouts()[0]);
  expect(control.listCallbacks()[0]).toMatchObject({
    record: 'payout',
    reference: 'po_ref',
    state: 'delivered',
  });
});

it('an invoice calls back with each change from any caller, in the unit of the dialect', async () => {
  const { fetch, received, events } = createReceiver();
  const sandbox = newSandbox({ fetch, dialect: { amountUnit: 'major' } });
  const { id } = sandbox.control.createInvoice({ amountDue: 1000, callbackUrl, status: 'draft' });
  sandbox.control.updateInvoice(id, { status: 'open' });
  sandbox.control.payInvoice(id, { amount: 29 });
  await call(sandbox, `/v1/invoices/${id}/cancel`, { body: { cancellationReason: 'Sold out' } });
  await sandbox.settled();
  expect(events().filter((event) => event.startsWith('invoice.'))).toEqual([
    'invoice.open',
    'invoice.partially_paid',
    'invoice.cancelled',
  ]);
  expect(received.find(({ event }) => event === 'invoice.partially_paid')?.data).toMatchObject({
    id,
    amountDue: 10,
    amountPaid: 0.29,
  });
});

it('a dedicated account calls back with consent and each change', async () => {
  const { fetch, received, events } = createReceiver();
  const sandbox = newSandbox({ fetch });
  const { body } = await call(sandbox, '/v1/dedicated_accounts', { body: individual });
  const account = sandbox.control.consentToDedicatedAccount(body.accountRequestCode);
  sandbox.control.updateDedicatedAccount(body.accountRequestCode, { status: 'no_post_no_debit' });
  await sandbox.settled();
  expect(events()).toEqual(['dedicated_account.active', 'dedicated_account.no_post_no_debit']);
  expect(received[0]).toMatchObject({ url: individual.callbackUrl, data: account });
});

it('a request for an account calls back when it is refused', async () => {
  const { fetch, received, events } = createReceiver();
  const sandbox = newSandbox({ fetch });
  const { body } = await call(sandbox, '/v1/dedicated_accounts', { body: individual });
  sandbox.control.refuseDedicatedAccount(body.accountRequestCode);
  await sandbox.settled();
  expect(events()).toEqual(['dedicated_account.refused']);
  expect(received[0]?.data).toMatchObject({ ...body, status: 'refused', message: expect.any(String) });
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
