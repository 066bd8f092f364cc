import { expect, it } from 'vitest';
import type { Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../../../kit/account-requests.ts';
import { call, controlCall, expectConflict, expectRefusal, goodBody, newSandbox } from '../sandbox-kit.ts';

const { callbackUrl } = goodBody;

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

const each = (name: string, ...values: unknown[]): Row[] =>
  values.map((value) => [{ [name]: value }, [name]]);

/** The path of each call, an input that it accepts, and what may not be added to that. */
const calls: Readonly<Record<string, readonly [good: object, ...Row[]]>> = {
  transfers: [
    { accountNumber: '0000014579', amount: 5 },
    ...each('amount', 0, -1, 1.5, 2 ** 53, '1', undefined),
    ...each('accountNumber', 14579),
    ...each('currency', 'NGN'),
  ],
  'payments/ord_1001': [
    {},
    [{}, []],
    ...each('status', 'paid'),
    ...each('acceptedAmountPolicy', 'FIXED'),
    ...each('chargedAmount', 5),
  ],
  clock: [
    {},
    [{}, []],
    ...each('advanceSeconds', 0, -1, 1.5, '60', null, 2 ** 53, 10_000_000_000),
    ...each('set', 'tomorrow', 1_767_346_200, '2001-09-09T01:46:39.999Z', '2286-11-20T17:46:40.000Z'),
    [{ set: '2286-11-20T17:46:39Z', advanceSeconds: 1 }, ['set']],
    ...each('frozen', 'yes'),
    ...each('back', true),
  ],
  callback_delivery: [
    { delaySeconds: 7 },
    ...each('drop', 1.1, -0.1),
    ...each('double', 'yes', null),
    ...each('delaySeconds', -1, 0.5, 31_536_001),
    ...each('reorder', 1),
    ...each('shuffle', true),
  ],
  faults: [
    { operation: '*', status: 500 },
    ...each('operation', 'payments.cancel', undefined),
    ...each('status', 200, 600, 500.5, '500', 'hang'),
    ...each('times', 0),
    ...each('probability', 1.5, '1'),
    ...each('latencyMs', -1, 600_001),
    ...each('phase', 'during'),
    ...each('retryAfterSeconds', 5),
    [{ status: 429, retryAfterSeconds: -5 }, ['retryAfterSeconds']],
    ...each('message', 'boom'),
  ],
  payouts: [
    { amount: 1 },
    ...each('amount', undefined, null, 0, 0.5),
    ...each('fee', -1),
    ...each('vat', '5'),
    ...each('status', 'paid'),
    ...each('currency', 'EUR'),
    ...each('reference', ''),
    ...each('id', '..'),
    ...each('callbackUrl', 'javascript:alert(1)'),
    ...each('createdAt', 'yesterday'),
    ...each('initiation', 'api'),
    [{ initiation: { actor: 5 } }, ['initiation.actor']],
    [{ initiation: { user: { mail: 'x' } } }, ['initiation.user.mail']],
    ...each('amounts', 1),
    ...each('liveMode', true),
  ],
  'payouts/po_1': [
    {},
    [{}, []],
    ...each('status', 'paid'),
    ...each('confirmationState', 'yes'),
    ...each('approvedBy', ''),
    ...each('failureCode', 'x'),
    [{ status: 'sent', failureMessage: 'x' }, ['failureMessage']],
    ...each('amount', 5),
    ...each('cancelledBy', 'ada'),
    [{ status: 'sent', cancelledBy: 'ada' }, ['cancelledBy']],
  ],
  invoices: [
    { amountDue: 10 },
    ...each('amountDue', undefined, 0),
    ...each('taxRateIds', 'txr_1'),
    ...each('due', 1),
    ...each('daysUntilDue', 1e12, 3_651, -1, 1.5),
    ...each('maxInstallments', 1_001, 0, -1, 1.5),
    ...each('liveMode', true),
  ],
  'invoices/inv_1': [
    {},
    ...each('status', undefined, 'partially_paid'),
    [{ status: 'open', cancellationReason: 'x' }, ['cancellationReason']],
    [{ status: 'open', amountPaid: 5 }, ['amountPaid']],
  ],
  'invoices/inv_1/payments': [{}, ...each('amount', 0, -1, 0.5, '5', null, 2 ** 53)],
  tax_rates: [
    { name: 'A' },
    ...each('name', undefined, ''),
    ...each('percentage', 101, -1),
    ...each('fixedAmount', 0.5),
    [{ rateType: 'fixed_amount' }, ['fixedAmount']],
    ...each('taxType', 'gst'),
    ...each('rate', 5),
  ],
  'dedicated_accounts/{active}': [
    {},
    [{}, []],
    ...each('status', 'refused'),
    ...each('acceptedAmountPolicy', 'ANY'),
    ...each('accountName', 'x'),
  ],
  'dedicated_accounts/{waiting}/consent': [
    {},
    ...each('accountNumber', '123'),
    ...each('status', 'open'),
    [{ bank: { code: '011' } }, ['bank.code']],
    ...each('accountRequestCode', 'other'),
  ],
};
const rows = Object.entries(calls).flatMap(([name, [good, ...bad]]) =>
  bad.map(([input, params]) => ({ name, body: { ...good, ...input }, params })),
);

it.each(rows)('an invalid input is refused with the fields at fault: $name $body', async (row) => {
  const sandbox = setUp();
  const [waiting, active] = sandbox.control.listDedicatedAccounts().map((one) => one.accountRequestCode);
  const path = row.name.replace('{active}', active ?? '').replace('{waiting}', waiting ?? '');
  const before = recordsOf(sandbox);
  const response = await controlCall(sandbox, `/_sandbox/${path}`, row.body);
  expectRefusal(response, 422, 'validation_failed', row.params);
  expect(recordsOf(sandbox)).toEqual(before);
});

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
])('an unknown record is refused: %s', async (path, body, code) => {
  expectRefusal(await controlCall(newSandbox(), `/_sandbox/${path}`, body), 404, code);
});

it.each([
  ['payouts', { amount: 1 }, 'id'],
  ['payouts', { amount: 1 }, 'reference'],
  ['invoices', { amountDue: 1 }, 'id'],
  ['invoices', { amountDue: 1 }, 'reference'],
  ['tax_rates', { name: 'VAT' }, 'id'],
])('a record is refused with what another has: %s %j, %s', async (path, seed, param) => {
  const sandbox = newSandbox();
  const create = () => controlCall(sandbox, `/_sandbox/${path}`, { ...seed, [param]: 'same' });
  expect((await create()).status).toBe(200);
  expectConflict(await create(), `${param}_exists`, [param]);
});

it('a request for a dedicated account is refused at a bank that the dialect does not have', async () => {
  const body = { ...individual, preferredBank: 'other_bank' };
  const response = await call(newSandbox(), '/v1/dedicated_accounts', { body });
  expectRefusal(response, 422, 'validation_failed', ['preferredBank']);
});
