import { describe, expect, it } from 'vitest';
import type {
  InvoiceSeed,
  PayoutSeed,
  Sandbox,
  SandboxError,
} from '../../../../../server-kit/tools/sandbox/index.ts';
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
])('an invoice fills the rest of its seed to agree with %j', (seed, filled) => {
  const { control } = newSandbox();
  const made = control.createInvoice({ amountDue: 1000, ...seed });
  expect(made).toMatchObject({ ...seed, ...filled });
  expect(newSandbox().control.createInvoice(made)).toEqual(made);
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

  it.each<[Partial<InvoiceSeed>, number, string, string[]]>([
    [{ acceptPartialPayments: false }, 999, 'partial_payment_refused', ['amount']],
    [{ status: 'draft' }, 1000, 'invoice_not_payable', []],
    [{ status: 'paid' }, 1000, 'invoice_not_payable', []],
    [{ status: 'cancelled' }, 1000, 'invoice_not_payable', []],
    [partlyPaid, Number.MAX_SAFE_INTEGER, 'validation_failed', ['amount']],
  ])('is refused with %j: %i', async (seed, amount, code, params) => {
    const { pay, retrieve } = invoice(seed);
    const before = retrieve();
    expect((await pay(amount)).body.error).toMatchObject({ code, params });
    expect(retrieve()).toEqual(before);
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

type PayoutUpdate = Parameters<Sandbox['control']['updatePayout']>[1];

/** A payout, and what it is after these updates, a minute later; or the code of the last one's refusal. */
function payout(seed: Partial<PayoutSeed> = {}, ...updates: PayoutUpdate[]): unknown {
  const { control } = newSandbox();
  let made = control.createPayout({ amount: 250_000, ...seed });
  control.setClock({ advanceSeconds: 60 });
  try {
    for (const update of updates) made = control.updatePayout(made.id, update);
    return made;
  } catch (error) {
    return (error as SandboxError).code;
  }
}
const ada = 'ada@example.com';
const aText = expect.stringMatching(/./);
const waiting = { requiresConfirmation: true } as const;
const cancellation = { cancelledBy: ada, cancelledAt: later };

describe('a payout', () => {
  it.each<[Partial<PayoutSeed>, object]>([
    [{}, { status: 'pending', currency: 'NGN', reference: expect.stringMatching(/^ref_/) }],
    [{}, { requiresConfirmation: false, initiation: { user: { email: 'developer@sandbox.example' } } }],
    [{}, { destinationAccountNumber: expect.stringMatching(/^\d{10}$/) }],
    [{ reference: 'po/1', status: 'failed', narration: 'Rent' }, { failureCode: aText }],
    [{ status: 'cancelled', confirmationState: 'rejected' }, { requiresConfirmation: true }],
    [{ status: 'cancelled', ...waiting }, { confirmationState: 'pending' }],
    [
      { status: 'succeeded', ...waiting },
      { confirmationState: 'confirmed', approval: { approvedBy: aText } },
    ],
    [{ status: 'succeeded' }, { confirmationState: null, approval: null }],
  ])('fills the rest of its seed to agree with %j', (seed, filled) => {
    const made = payout(seed);
    expect(made).toMatchObject({ ...seed, ...filled });
    expect(payout(made as PayoutSeed)).toEqual(made);
  });

  const failure = { failureCode: 'account_closed', failureMessage: 'The account is closed.' };
  const approved = { confirmationState: 'confirmed', approvedBy: ada } as const;
  it.each<[string, Partial<PayoutSeed>, PayoutUpdate[], string | object]>([
    ['records who cancelled it', {}, [{ status: 'cancelled', cancelledBy: ada }], { cancellation }],
    ['records why it failed', { status: 'sent' }, [{ status: 'failed', ...failure }], failure],
    [
      'names a failure',
      { status: 'sent' },
      [{ status: 'failed' }],
      { failureCode: aText, failureMessage: aText },
    ],
    [
      'is approved',
      waiting,
      [approved],
      { status: 'pending', approval: { approvedBy: ada, approvedAt: later } },
    ],
    ['is sent once it is confirmed', waiting, [approved, { status: 'sent' }], { status: 'sent' }],
    ['is not sent before', waiting, [{ status: 'sent' }], 'payout_not_confirmed'],
    ['is not confirmed by an approval', waiting, [{ approvedBy: ada }], { confirmationState: 'pending' }],
    [
      'is confirmed and sent in one call, and keeps an earlier approval',
      waiting,
      [{ approvedBy: ada }, { confirmationState: 'confirmed', status: 'sent' }],
      { status: 'sent', approval: { approvedBy: ada } },
    ],
    [
      'is cancelled when it is rejected',
      waiting,
      [{ confirmationState: 'rejected', cancelledBy: ada }],
      { status: 'cancelled', confirmationState: 'rejected', cancellation },
    ],
    [
      'is not confirmed after that',
      waiting,
      [{ confirmationState: 'rejected' }, { confirmationState: 'confirmed' }],
      'transition_not_allowed',
    ],
    [
      'is not confirmed once it is cancelled',
      waiting,
      [{ status: 'cancelled' }, { confirmationState: 'confirmed' }],
      'payout_not_pending',
    ],
    ['is not approved then', waiting, [{ status: 'cancelled' }, { approvedBy: ada }], 'payout_not_pending'],
    ['needs no confirmation', {}, [{ confirmationState: 'confirmed' }], 'confirmation_not_required'],
  ])('%s', (_name, seed, updates, expected) => {
    const after = payout(seed, ...updates);
    if (typeof expected === 'string') expect(after).toBe(expected);
    else expect(after).toMatchObject(expected);
  });
});
