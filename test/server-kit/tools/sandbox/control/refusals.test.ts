import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../../../kit/account-requests.ts';
import { call, controlCall, goodBody, newSandbox } from '../sandbox-kit.ts';

const callbackUrl = 'https://shop.example/callbacks';

/** A sandbox with a record of each kind. */
const setUp = (): Sandbox =>
  newSandbox({
    fixtures: {
      payments: [goodBody],
      payouts: [{ id: 'po_1', amount: 1, callbackUrl }],
      invoices: [{ id: 'inv_1', amountDue: 1000, status: 'draft', callbackUrl }],
      dedicated_accounts: [{ ...individual, consent: true }, individual],
    },
  });

/** Every record. A refused call changes none. */
const recordsOf = ({ control }: Sandbox) => [
  control.listPayments(),
  control.listDedicatedAccounts(),
  control.listPayouts(),
  control.listInvoices(),
  control.listTaxRates(),
  control.listFaults(),
  control.listCallbacks().length,
  control.readCallbackDelivery(),
  control.readClock(),
];

type Row = [input: object, params: string[]];
type Calls = readonly [call: string, good: object, rows: readonly Row[]];

const oneEach = (name: string, values: readonly unknown[]): Row[] =>
  values.map((value) => [{ [name]: value }, [name]]);

const calls: readonly Calls[] = [
  [
    'transfers',
    { accountNumber: '0000014579', amount: 5 },
    [
      ...oneEach('amount', [0, -1, 1.5, 2 ** 53, '1', undefined]),
      ...oneEach('accountNumber', [14579]),
      ...oneEach('currency', ['NGN']),
    ],
  ],
  [
    'payments/ord_1001',
    {},
    [
      [{}, []],
      ...oneEach('status', ['paid']),
      ...oneEach('acceptedAmountPolicy', ['FIXED']),
      ...oneEach('chargedAmount', [5]),
    ],
  ],
  [
    'clock',
    {},
    [
      [{}, []],
      ...oneEach('advanceSeconds', [0, -1, 1.5, '60', null, 2 ** 53, 10_000_000_000]),
      ...oneEach('set', ['tomorrow', 1_767_346_200, '2001-09-09T01:46:39.999Z', '2286-11-20T17:46:40.000Z']),
      [{ set: '2286-11-20T17:46:39Z', advanceSeconds: 1 }, ['set']],
      ...oneEach('frozen', ['yes']),
      ...oneEach('back', [true]),
    ],
  ],
  [
    'callback_delivery',
    { delaySeconds: 7 },
    [
      ...oneEach('drop', [1.1, -0.1]),
      ...oneEach('double', ['yes', null]),
      ...oneEach('delaySeconds', [-1, 0.5, 31_536_001]),
      ...oneEach('reorder', [1]),
      ...oneEach('shuffle', [true]),
    ],
  ],
  [
    'faults',
    { operation: '*', status: 500 },
    [
      ...oneEach('operation', ['payments.cancel', undefined]),
      ...oneEach('status', [200, 600, 500.5, '500', 'hang']),
      ...oneEach('times', [0]),
      ...oneEach('probability', [1.5, '1']),
      ...oneEach('latencyMs', [-1, 600_001]),
      ...oneEach('phase', ['during']),
      ...oneEach('retryAfterSeconds', [5]),
      [{ status: 429, retryAfterSeconds: -5 }, ['retryAfterSeconds']],
      ...oneEach('message', ['boom']),
    ],
  ],
  [
    'payouts',
    { amount: 1 },
    [
      ...oneEach('amount', [undefined, null, 0, 0.5]),
      ...oneEach('fee', [-1]),
      ...oneEach('vat', ['5']),
      ...oneEach('status', ['paid']),
      ...oneEach('currency', ['EUR']),
      ...oneEach('reference', ['']),
      ...oneEach('id', ['..']),
      ...oneEach('callbackUrl', ['javascript:alert(1)']),
      ...oneEach('createdAt', ['yesterday']),
      ...oneEach('initiation', ['api']),
      [{ initiation: { actor: 5 } }, ['initiation.actor']],
      [{ initiation: { user: { mail: 'x' } } }, ['initiation.user.mail']],
      ...oneEach('amounts', [1]),
      ...oneEach('liveMode', [true]),
    ],
  ],
  [
    'payouts/po_1',
    {},
    [
      [{}, []],
      ...oneEach('status', ['paid']),
      ...oneEach('confirmationState', ['yes']),
      ...oneEach('approvedBy', ['']),
      ...oneEach('failureCode', ['x']),
      [{ status: 'sent', failureMessage: 'x' }, ['failureMessage']],
      ...oneEach('amount', [5]),
      ...oneEach('cancelledBy', ['ada']),
      [{ status: 'sent', cancelledBy: 'ada' }, ['cancelledBy']],
    ],
  ],
  [
    'invoices',
    { amountDue: 10 },
    [
      ...oneEach('amountDue', [undefined, 0]),
      ...oneEach('taxRateIds', ['txr_1']),
      ...oneEach('due', [1]),
      ...oneEach('daysUntilDue', [1e12, 3_651, -1, 1.5]),
      ...oneEach('maxInstallments', [1_001, 0, -1, 1.5]),
      ...oneEach('liveMode', [true]),
    ],
  ],
  [
    'invoices/inv_1',
    {},
    [
      ...oneEach('status', [undefined, 'partially_paid']),
      [{ status: 'open', cancellationReason: 'x' }, ['cancellationReason']],
      [{ status: 'open', amountPaid: 5 }, ['amountPaid']],
    ],
  ],
  ['invoices/inv_1/payments', {}, oneEach('amount', [0, -1, 0.5, '5', null, 2 ** 53])],
  [
    'tax_rates',
    { name: 'A' },
    [
      ...oneEach('name', [undefined, '']),
      ...oneEach('percentage', [101, -1]),
      ...oneEach('fixedAmount', [0.5]),
      [{ rateType: 'fixed_amount' }, ['fixedAmount']],
      ...oneEach('taxType', ['gst']),
      ...oneEach('rate', [5]),
    ],
  ],
  [
    'dedicated_accounts/{active}',
    {},
    [
      [{}, []],
      ...oneEach('status', ['refused']),
      ...oneEach('acceptedAmountPolicy', ['ANY']),
      ...oneEach('accountName', ['x']),
    ],
  ],
  [
    'dedicated_accounts/{waiting}/consent',
    {},
    [
      ...oneEach('accountNumber', ['123']),
      ...oneEach('status', ['open']),
      [{ bank: { code: '011' } }, ['bank.code']],
      ...oneEach('accountRequestCode', ['other']),
    ],
  ],
];
const rows = calls.flatMap(([name, good, bad]) =>
  bad.map(([input, params]) => ({ name, body: { ...good, ...input }, params })),
);

describe('an invalid input of a control call', () => {
  it.each(rows)('is refused with the fields at fault: $name $body', async ({ name, body, params }) => {
    const sandbox = setUp();
    const [waiting, active] = sandbox.control.listDedicatedAccounts().map((one) => one.accountRequestCode);
    const path = name.replace('{active}', active ?? '').replace('{waiting}', waiting ?? '');
    const before = recordsOf(sandbox);
    const response = await controlCall(sandbox, `/_sandbox/${path}`, body);
    const { code, params: found } = response.body.error;
    expect([response.status, code, found]).toEqual([422, 'validation_failed', params]);
    expect(recordsOf(sandbox)).toEqual(before);
  });
});

describe('an unknown record in a control call', () => {
  it.each([
    ['transfers', { accountNumber: '0000014579', amount: 1 }, 'account_not_found'],
    ['payments/none', { status: 'failed' }, 'payment_not_found'],
    ['payouts/none', { status: 'sent' }, 'payout_not_found'],
    ['invoices/none', { status: 'open' }, 'invoice_not_found'],
    ['invoices/none/payments', { amount: 1 }, 'invoice_not_found'],
    ['dedicated_accounts/none', { status: 'expired' }, 'account_request_not_found'],
    ['dedicated_accounts/none/consent', {}, 'account_request_not_found'],
    ['dedicated_accounts/none/refusal', {}, 'account_request_not_found'],
    ['checkout_links/none/open', {}, 'checkout_link_not_found'],
    ['callbacks/none/resend', {}, 'callback_not_found'],
  ])('is refused: %s', async (path, body, code) => {
    const response = await controlCall(newSandbox(), `/_sandbox/${path}`, body);
    expect([response.status, response.body.error.code]).toEqual([404, code]);
  });
});

describe('a record with the id or reference of another', () => {
  it.each([
    ['payouts', { amount: 1 }, ['id', 'reference']],
    ['invoices', { amountDue: 1 }, ['id', 'reference']],
    ['tax_rates', { name: 'VAT' }, ['id']],
  ])('is refused: %s', async (path, seed, params) => {
    for (const param of params) {
      const sandbox = newSandbox();
      const body = { ...seed, [param]: 'same' };
      expect((await controlCall(sandbox, `/_sandbox/${path}`, body)).status).toBe(200);
      const { status, body: refusal } = await controlCall(sandbox, `/_sandbox/${path}`, body);
      expect([status, refusal.error.code, refusal.error.params]).toEqual([409, `${param}_exists`, [param]]);
    }
  });
});

it('refuses a request for a dedicated account at a bank that the dialect does not have', async () => {
  const body = { ...individual, preferredBank: 'other_bank' };
  const response = await call(newSandbox(), '/v1/dedicated_accounts', { body });
  expect([response.status, response.body.error.params]).toEqual([422, ['preferredBank']]);
});
