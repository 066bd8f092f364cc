import { describe, expect, it } from 'vitest';
import type { SandboxControl, SandboxOptions } from '../../../../server-kit/sandbox/index.ts';
import { newSandbox } from '../sandbox-kit.ts';
import { createReceiver } from './receiver.ts';

const callbackUrl = 'https://shop.example/callbacks';

async function callbacksAfter(change: (control: SandboxControl) => void, options: SandboxOptions = {}) {
  const { fetch, received } = createReceiver();
  const sandbox = newSandbox({ fetch, ...options });
  change(sandbox.control);
  await sandbox.settled();
  return { received, logged: sandbox.control.listCallbacks() };
}

const sendPayout = (control: SandboxControl): void => {
  const { id } = control.createPayout({ amount: 12_345, reference: 'po_ref', callbackUrl });
  control.updatePayout(id, { status: 'sent' });
};
const payInvoice = (control: SandboxControl): void => {
  const { id } = control.createInvoice({ amountDue: 12_345, callbackUrl });
  control.payInvoice(id, { amount: 345 });
};

describe('callbacks of other records', () => {
  it('tell of a payout', async () => {
    const { received, logged } = await callbacksAfter(sendPayout);
    expect(received).toMatchObject([
      { event: 'payout.sent', url: callbackUrl, data: { status: 'sent', amount: 12_345 } },
    ]);
    expect(logged).toMatchObject([{ record: 'payout', reference: 'po_ref', state: 'delivered' }]);
  });

  it('tell of an invoice', async () => {
    const { received } = await callbacksAfter(payInvoice);
    expect(received).toMatchObject([
      { event: 'invoice.partially_paid', data: { amountPaid: 345, amountRemaining: 12_000 } },
    ]);
  });

  it("are in the dialect's unit", async () => {
    const options: SandboxOptions = { dialect: { amountUnit: 'major' } };
    const payout = await callbacksAfter(sendPayout, options);
    expect(payout.received[0]?.data.amount).toBe(123.45);
    const invoice = await callbacksAfter(payInvoice, options);
    expect(invoice.received[0]?.data).toMatchObject({ amountDue: 123.45, amountPaid: 3.45 });
  });
});
