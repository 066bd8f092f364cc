import { describe, expect, it } from 'vitest';
import { invoiceStatuses } from '../../../../../server-kit/service/invoice.ts';
import { type InvoiceSeed, invoiceTransitions } from '../../../../../server-kit/tools/sandbox/index.ts';
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
/** A seed of each status. */
const seeds = { draft: {}, open: {}, paid: {}, partially_paid: partlyPaid, cancelled: {} };

describe('an invoice', () => {
  it('is created from amountDue alone, with every field', () => {
    expect(invoice().retrieve()).toEqual({
      id: expect.stringMatching(/^inv_/),
      status: 'open',
      description: null,
      currency: 'NGN',
      maxInstallments: null,
      number: 'INV-000001',
      reference: expect.stringMatching(/^ref_/),
      acceptPartialPayments: true,
      amountDue: 1000,
      amountPaid: 0,
      amountOverpaid: 0,
      amountRemaining: 1000,
      subTotal: 1000,
      customerId: null,
      sendEmail: false,
      totalInclusiveTaxAmount: 0,
      totalExclusiveTaxAmount: 0,
      cancellationReason: null,
      taxRateIds: [],
      logo: null,
      invoicePdf: null,
      receiptPdf: null,
      callbackUrl: null,
      returnUrl: null,
      metadata: {},
      daysUntilDue: 30,
      dueDate: '2026-02-01T09:30:00.000Z',
      paidAt: null,
      cancelledAt: null,
      liveMode: false,
    });
  });

  it.each<[InvoiceSeed, object]>([
    [
      { amountDue: 1000, status: 'draft' },
      { status: 'draft', amountRemaining: 1000 },
    ],
    [
      { amountDue: 1000, status: 'paid' },
      { amountPaid: 1000, paidAt: '2026-01-02T09:30:00.000Z' },
    ],
    [
      { amountDue: 1000, amountPaid: 400 },
      { status: 'partially_paid', amountRemaining: 600 },
    ],
    [
      { amountDue: 1000, amountPaid: 1500 },
      { status: 'paid', amountOverpaid: 500, amountRemaining: 0 },
    ],
    [{ amountDue: 1075, totalExclusiveTaxAmount: 75 }, { subTotal: 1000 }],
    [{ amountDue: 1000, daysUntilDue: 7 }, { dueDate: '2026-01-09T09:30:00.000Z' }],
    [{ amountDue: 1000, daysUntilDue: 0 }, { dueDate: '2026-01-02T09:30:00.000Z' }],
    [{ amountDue: 1000, status: 'cancelled', amountPaid: 999 }, { amountRemaining: 1 }],
    [{ amountDue: 1000, totalExclusiveTaxAmount: 100, totalInclusiveTaxAmount: 900 }, { subTotal: 900 }],
  ])('fills the rest of its seed to agree with %j', (seed, filled) => {
    const { control } = newSandbox();
    const made = control.createInvoice(seed);
    expect(made).toMatchObject(filled);
    expect(newSandbox().control.createInvoice(made)).toEqual(made);
  });

  it.each<[object, string[]]>([
    [{}, ['amountDue']],
    [{ amountDue: 0 }, ['amountDue']],
    [{ amountDue: 10, taxRateIds: 'txr_1' }, ['taxRateIds']],
    [{ amountDue: 10, due: 1 }, ['due']],
    ...[1e12, 3_651, -1, 1.5].map((daysUntilDue): [object, string[]] => [
      { amountDue: 10, daysUntilDue },
      ['daysUntilDue'],
    ]),
    ...[1_001, 0, -1, 1.5].map((maxInstallments): [object, string[]] => [
      { amountDue: 10, maxInstallments },
      ['maxInstallments'],
    ]),
    [{ amountDue: 10, liveMode: true }, ['liveMode']],
  ])('is not created from %j', async (seed, params) => {
    const response = await controlCall(newSandbox(), '/_sandbox/invoices', seed);
    expect([response.status, response.body.error.params]).toEqual([422, params]);
  });

  it.each(['id', 'reference'])('is not created with the %s of another record', async (param) => {
    const { sandbox } = invoice({ [param]: 'same' });
    const response = await controlCall(sandbox, '/_sandbox/invoices', { amountDue: 1, [param]: 'same' });
    expectConflict(response, `${param}_exists`, [param]);
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
    await pay(400);
    await pay(600);
    await pay(1);
    const payments = sandbox.control.listPayments();
    const made = { status: 'succeeded', metadata: { invoiceId: id } };
    expect(payments).toMatchObject([
      { ...made, chargedAmount: 600 },
      { ...made, chargedAmount: 400 },
    ]);
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

  it.each([0, -1, 0.5, '5', null, 2 ** 53])('is refused with 422: %j', async (amount) => {
    const response = await invoice().pay(amount as number);
    expect([response.status, response.body.error.params]).toEqual([422, ['amount']]);
  });

  it('is refused with 422 beyond a safe integer', async () => {
    const { pay } = invoice(partlyPaid);
    expect((await pay(Number.MAX_SAFE_INTEGER)).status).toBe(422);
  });
});

describe('POST /v1/invoices/{id}/cancel', () => {
  it.each(['draft', 'open', 'partially_paid'] as const)('cancels one that is %s', async (status) => {
    const { cancel, retrieve } = invoice({ status, ...seeds[status] });
    const response = await cancel({ cancellationReason: 'Sold out' });
    expect(response.body).toMatchObject({
      status: 'cancelled',
      cancellationReason: 'Sold out',
      cancelledAt: later,
    });
    expect(retrieve()).toEqual(response.body);
  });

  it('needs no reason', async () => {
    expect((await invoice().cancel()).body).toMatchObject({ status: 'cancelled', cancellationReason: null });
  });

  it.each(['paid', 'cancelled'] as const)('refuses one that is %s', async (status) => {
    const { cancel, retrieve } = invoice({ status });
    const before = retrieve();
    expectConflict(await cancel({ cancellationReason: 'Again' }), 'invoice_not_cancellable', []);
    expect(retrieve()).toEqual(before);
  });
});

const moves = invoiceStatuses.flatMap((from) =>
  (['open', 'paid', 'cancelled'] as const).map((to) => ({ from, to })),
);

describe('the transitions of an invoice', () => {
  it('are the ones agreed on', () => {
    expect(invoiceTransitions).toEqual({
      draft: ['open', 'cancelled'],
      open: ['partially_paid', 'paid', 'cancelled'],
      partially_paid: ['paid', 'cancelled'],
      paid: [],
      cancelled: [],
    });
  });

  it.each(moves)('decide whether a control call moves $from to $to', async ({ from, to }) => {
    const { sandbox, id, retrieve } = invoice({ status: from, ...seeds[from] });
    const before = retrieve();
    const response = await controlCall(sandbox, `/_sandbox/invoices/${id}`, { status: to });
    if (invoiceTransitions[from].includes(to)) {
      expect(response.body.status).toBe(to);
      if (to === 'paid') expect(response.body).toMatchObject({ amountPaid: 1000, amountRemaining: 0 });
    } else {
      expectConflict(response, 'transition_not_allowed', ['status']);
      expect(retrieve()).toEqual(before);
    }
  });

  it.each<[object, string[]]>([
    [{}, ['status']],
    [{ status: 'partially_paid' }, ['status']],
    [{ status: 'open', cancellationReason: 'x' }, ['cancellationReason']],
    [{ status: 'open', amountPaid: 5 }, ['amountPaid']],
  ])('refuse %j with 422', async (input, params) => {
    const { sandbox, id } = invoice({ status: 'draft' });
    const response = await controlCall(sandbox, `/_sandbox/invoices/${id}`, input);
    expect([response.status, response.body.error.params]).toEqual([422, params]);
  });

  it('are refused for an unknown invoice', async () => {
    for (const [path, body] of [
      ['', { status: 'open' }],
      ['/payments', { amount: 1 }],
    ] as const) {
      const response = await controlCall(newSandbox(), `/_sandbox/invoices/none${path}`, body);
      expect([response.status, response.body.error.code]).toEqual([404, 'invoice_not_found']);
    }
  });
});
