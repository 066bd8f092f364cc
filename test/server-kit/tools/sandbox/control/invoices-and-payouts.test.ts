import { describe, expect, it } from 'vitest';
import type { InvoiceSeed, PayoutSeed } from '../../../../../server-kit/tools/sandbox/index.ts';
import { call, controlCall, expectConflict, newSandbox } from '../sandbox-kit.ts';

/** 1,000 is due. */
const invoice = (seed: Partial<InvoiceSeed> = {}) => {
  const sandbox = newSandbox();
  const { id } = sandbox.control.createInvoice({ amountDue: 1000, ...seed });
  sandbox.control.setClock({ advanceSeconds: 60 });
  return {
    sandbox,
    id,
    pay: (amount: number) => controlCall(sandbox, `/_sandbox/invoices/${id}/payments`, { amount }),
    cancel: (body: object = {}) => call(sandbox, `/v1/invoices/${id}/cancel`, { body }),
    retrieve: () => sandbox.control.listInvoices()[0],
  };
};
const later = '2026-01-02T09:31:00.000Z';
const partlyPaid = { status: 'partially_paid', amountPaid: 400 } as const;
const seeds = { draft: {}, open: {}, partially_paid: partlyPaid };

describe('an invoice', () => {
  it.each<[Partial<InvoiceSeed>, object]>([
    [{}, { status: 'open', currency: 'NGN', number: 'INV-000001', acceptPartialPayments: true }],
    [{}, { amountPaid: 0, amountRemaining: 1000, subTotal: 1000, dueDate: '2026-02-01T09:30:00.000Z' }],
    [{ status: 'draft' }, { amountRemaining: 1000 }],
    [{ status: 'paid' }, { amountPaid: 1000, paidAt: '2026-01-02T09:30:00.000Z' }],
    [{ amountPaid: 400 }, { status: 'partially_paid', amountRemaining: 600 }],
    [{ amountPaid: 1500 }, { status: 'paid', amountOverpaid: 500, amountRemaining: 0 }],
    [{ totalExclusiveTaxAmount: 75 }, { subTotal: 925 }],
    [{ daysUntilDue: 7 }, { dueDate: '2026-01-09T09:30:00.000Z' }],
    [{ daysUntilDue: 0 }, { dueDate: '2026-01-02T09:30:00.000Z' }],
    [{ status: 'cancelled', amountPaid: 999 }, { amountRemaining: 1 }],
    [{ totalExclusiveTaxAmount: 100, totalInclusiveTaxAmount: 900 }, { subTotal: 900 }],
  ])('fills the rest of its seed to agree with %j', (seed, filled) => {
    const { control } = newSandbox();
    const made = control.createInvoice({ amountDue: 1000, ...seed });
    expect(made).toMatchObject({ ...seed, ...filled });
    expect(newSandbox().control.createInvoice(made)).toEqual(made);
  });
});

describe('the payment of an invoice', () => {
  it.each<[number[], string, number, number, number]>([
    [[1000], 'paid', 1000, 0, 0],
    [[999], 'partially_paid', 999, 1, 0],
    [[400, 600], 'paid', 1000, 0, 0],
    [[400, 700], 'paid', 1100, 0, 100],
    [[1001], 'paid', 1001, 0, 1],
  ])('makes it $1: %j', async (amounts, status, amountPaid, amountRemaining, amountOverpaid) => {
    const { pay, retrieve } = invoice();
    for (const amount of amounts) expect((await pay(amount)).status).toBe(200);
    const paidAt = status === 'paid' ? later : null;
    expect(retrieve()).toMatchObject({ status, amountPaid, amountRemaining, amountOverpaid, paidAt });
  });

  it('is made of the amount each time, and not when it is refused', async () => {
    const { pay, sandbox, id } = invoice({ acceptPartialPayments: true });
    for (const amount of [400, 600, 1]) await pay(amount);
    const payments = sandbox.control.listPayments();
    expect(payments.map(({ chargedAmount }) => chargedAmount)).toEqual([600, 400]);
    expect(payments[0]).toMatchObject({ status: 'succeeded', metadata: { invoiceId: id } });
    const response = await call(sandbox, `/v1/payments/${payments[0]?.id}`);
    expect(response.body.paymentMethod).toBe('invoice_payment_account');
  });

  it('is refused in parts when the invoice does not accept them', async () => {
    const { pay, retrieve } = invoice({ acceptPartialPayments: false });
    expectConflict(await pay(999), 'partial_payment_refused', ['amount']);
    expect(retrieve()?.amountPaid).toBe(0);
    expect((await pay(1000)).body.status).toBe('paid');
  });

  it.each(['draft', 'paid', 'cancelled'] as const)('is refused when it is %s', async (status) => {
    expectConflict(await invoice({ status }).pay(1000), 'invoice_not_payable', []);
  });

  it('is refused with 422 beyond a safe integer', async () => {
    const { pay } = invoice(partlyPaid);
    expect((await pay(Number.MAX_SAFE_INTEGER)).status).toBe(422);
  });
});

describe('POST /v1/invoices/{id}/cancel', () => {
  it.each(['draft', 'open', 'partially_paid'] as const)('cancels one that is %s', async (status) => {
    const { cancel, retrieve } = invoice({ status, ...seeds[status] });
    const cancellationReason = 'Sold out';
    const { body } = await cancel({ cancellationReason });
    expect(body).toMatchObject({ status: 'cancelled', cancellationReason, cancelledAt: later });
    expect(retrieve()).toEqual(body);
  });

  it.each(['paid', 'cancelled'] as const)('refuses one that is %s', async (status) => {
    const { cancel, retrieve } = invoice({ status });
    const before = retrieve();
    expectConflict(await cancel({ cancellationReason: 'Again' }), 'invoice_not_cancellable', []);
    expect(retrieve()).toEqual(before);
  });
});

const payout = (seed: Partial<PayoutSeed> = {}) => {
  const { control } = newSandbox();
  const made = control.createPayout({ amount: 250_000, ...seed });
  control.setClock({ advanceSeconds: 60 });
  const update = (input: Parameters<typeof control.updatePayout>[1]) => control.updatePayout(made.id, input);
  return { made, update };
};
const ada = 'ada@example.com';

describe('a payout', () => {
  it('is created from an amount alone', () => {
    expect(payout().made).toMatchObject({
      reference: expect.stringMatching(/^ref_/),
      currency: 'NGN',
      status: 'pending',
      requiresConfirmation: false,
      destinationAccountNumber: expect.stringMatching(/^\d{10}$/),
      initiation: { user: { email: 'developer@sandbox.example' } },
    });
  });

  it('has the fields of its seed, also when the seed is a returned payout', () => {
    const { made } = payout({ reference: 'po/1', status: 'failed', narration: 'Rent' });
    expect(made).toMatchObject({ reference: 'po/1', narration: 'Rent', failureCode: expect.any(String) });
    expect(newSandbox().control.createPayout(made)).toEqual(made);
  });

  it.each<[PayoutSeed, object]>([
    [{ amount: 1, status: 'cancelled', confirmationState: 'rejected' }, { requiresConfirmation: true }],
    [{ amount: 1, status: 'cancelled', requiresConfirmation: true }, { confirmationState: 'pending' }],
    [
      { amount: 1, status: 'succeeded', requiresConfirmation: true },
      { confirmationState: 'confirmed', approval: { approvedBy: expect.any(String) } },
    ],
    [
      { amount: 1, status: 'succeeded' },
      { requiresConfirmation: false, confirmationState: null, approval: null },
    ],
  ])('fills the rest of its seed to agree with %j', (seed, filled) => {
    expect(newSandbox().control.createPayout(seed)).toMatchObject(filled);
  });

  it('records who cancelled it and why it failed', () => {
    expect(payout().update({ status: 'cancelled', cancelledBy: ada })).toMatchObject({
      cancellation: { cancelledBy: ada, cancelledAt: later },
    });
    const failure = { failureCode: 'account_closed', failureMessage: 'The account is closed.' };
    const sent = { status: 'sent' } as const;
    expect(payout(sent).update({ status: 'failed', ...failure })).toMatchObject(failure);
    const some = { failureCode: expect.stringMatching(/./), failureMessage: expect.stringMatching(/./) };
    expect(payout(sent).update({ status: 'failed' })).toMatchObject(some);
  });
});

describe('a payout that requires confirmation', () => {
  const waiting = () => payout({ requiresConfirmation: true });
  const refusal = (code: string) => expect.objectContaining({ status: 409, code });

  it('is sent once it is confirmed, with the name of the person', () => {
    const { made, update } = waiting();
    expect(made).toMatchObject({ status: 'pending', confirmationState: 'pending' });
    expect(() => update({ status: 'sent' })).toThrow(refusal('payout_not_confirmed'));
    const confirmed = update({ confirmationState: 'confirmed', approvedBy: ada });
    const approval = { approvedBy: ada, approvedAt: later };
    expect(confirmed).toMatchObject({ status: 'pending', confirmationState: 'confirmed', approval });
    expect(update({ status: 'sent' })).toMatchObject({ status: 'sent' });
  });

  it('is confirmed and sent in one call and keeps an earlier approval', () => {
    const { update } = waiting();
    expect(update({ approvedBy: ada })).toMatchObject({ confirmationState: 'pending' });
    const sent = update({ confirmationState: 'confirmed', status: 'sent' });
    expect(sent).toMatchObject({ status: 'sent', approval: { approvedBy: ada } });
  });

  it('is cancelled when it is rejected', () => {
    const { update } = waiting();
    const rejected = update({ confirmationState: 'rejected', cancelledBy: ada });
    const cancellation = { cancelledBy: ada, cancelledAt: later };
    expect(rejected).toMatchObject({ status: 'cancelled', confirmationState: 'rejected', cancellation });
    expect(() => update({ confirmationState: 'confirmed' })).toThrow(/can become nothing/);
  });

  it('can be neither confirmed nor approved when it is not pending any more', () => {
    const { update } = waiting();
    update({ status: 'cancelled' });
    for (const input of [{ confirmationState: 'confirmed' }, { approvedBy: 'ada' }] as const)
      expect(() => update(input)).toThrow(refusal('payout_not_pending'));
  });

  it('is the only kind that can be confirmed', () => {
    const act = () => payout().update({ confirmationState: 'confirmed' });
    expect(act).toThrow(refusal('confirmation_not_required'));
  });
});
