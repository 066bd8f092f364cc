import { expect, it } from 'vitest';
import { individual } from '../../kit/account-requests.ts';
import { call, expectRefusal, goodBody, newSandbox } from './sandbox-kit.ts';

const [payments, accounts] = ['/v1/payments', '/v1/dedicated_accounts'];
const { kycProfile } = individual;
const withProfile = (change: object) => ({ ...individual, kycProfile: { ...kycProfile, ...change } });
const [bvn, nin] = [
  { type: 'bvn', number: '22222222222' },
  { type: 'nin', number: '33333333333' },
];

it.each<[string, string, object, string[]]>([
  ['three at the top', payments, { ...goodBody, a: 1, b: { c: 2 }, d: null }, ['a']],
  [
    'in several objects',
    payments,
    {
      ...goodBody,
      customer: { ...goodBody.customer, phone: '1' },
      amount: { ...goodBody.amount, unit: 1 },
      x: 1,
    },
    ['amount.unit', 'customer.phone', 'x'],
  ],
  ['in an object of a variant', accounts, withProfile({ shoeSize: 40 }), ['kycProfile.shoeSize']],
  [
    'in every item of a list',
    accounts,
    withProfile({ identities: [bvn, nin].map((one) => ({ ...one, x: [1] })) }),
    ['kycProfile.identities.0.x', 'kycProfile.identities.1.x'],
  ],
])('unknown fields are ignored by a lenient sandbox, and named by any other: %s', async (...row) => {
  const [, path, body, params] = row;
  expect((await call(newSandbox({ lenient: true }), path, { body })).status).toBe(200);
  const response = await call(newSandbox(), path, { body });
  expectRefusal(response, 422, 'validation_failed');
  expect(response.body.error.params.sort()).toEqual(params);
  expect(response.body.error.message).toContain('is not a known field');
});

it('unknown fields are ignored in the query of an endpoint that is not a list', async () => {
  const response = await call(newSandbox({ lenient: true }), '/v1/payments/none?expand=customer');
  expectRefusal(response, 404, 'payment_not_found');
});

it.each<[string, string, object, string[]]>([
  [
    'in the same object as an unknown one',
    payments,
    { ...goodBody, note: 1, amount: { value: 0, currency: 'EUR', unit: 1 } },
    ['amount.currency', 'amount.value'],
  ],
  ['that is missing', payments, { note: 1 }, ['amount', 'paymentMethod', 'reference']],
  [
    'in an item with unknown ones',
    accounts,
    { ...withProfile({ identities: [bvn, { type: 'x', y: 1 }] }), x: 1 },
    ['kycProfile.identities.1.number', 'kycProfile.identities.1.type'],
  ],
])('a lenient sandbox still refuses an invalid field: %s', async (_name, path, body, params) => {
  const response = await call(newSandbox({ lenient: true }), path, { body });
  expectRefusal(response, 422, 'validation_failed');
  expect(response.body.error.params.sort()).toEqual(params);
  expect(response.body.error.message).not.toContain('is not a known field');
});
