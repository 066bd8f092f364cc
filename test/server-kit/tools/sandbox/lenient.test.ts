import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../../kit/account-requests.ts';
import { cpuMsOf } from '../../kit/cpu-time.ts';
import { call, expectRefusal, goodBody, newSandbox } from './sandbox-kit.ts';

const lenient = (): Sandbox => newSandbox({ lenient: true });

const [bvn, nin] = [
  { type: 'bvn', number: '22222222222' },
  { type: 'nin', number: '33333333333' },
];
const kycProfile = { ...individual.kycProfile, identities: [bvn, nin] };
const accountRequest = { ...individual, kycProfile };

/** Valid requests with unknown fields, and the paths of these fields. */
const unknowns: readonly [string, string, object, string[]][] = [
  ['at the top', '/v1/payments', { ...goodBody, note: 1 }, ['note']],
  ['three at the top', '/v1/payments', { ...goodBody, a: 1, b: { c: 2 }, d: null }, ['a']],
  [
    'in an object',
    '/v1/payments',
    { ...goodBody, amount: { ...goodBody.amount, unit: 'minor' } },
    ['amount.unit'],
  ],
  [
    'in several objects',
    '/v1/payments',
    {
      ...goodBody,
      customer: { ...goodBody.customer, phone: '1' },
      amount: { ...goodBody.amount, unit: 1 },
      x: 1,
    },
    ['amount.unit', 'customer.phone', 'x'],
  ],
  ['named as what every object has', '/v1/payments', { ...goodBody, valueOf_: 1, '0': 1 }, ['0']],
  [
    'in an object of a variant',
    '/v1/dedicated_accounts',
    { ...accountRequest, kycProfile: { ...kycProfile, shoeSize: 40 } },
    ['kycProfile.shoeSize'],
  ],
  [
    'in one item of a list',
    '/v1/dedicated_accounts',
    { ...accountRequest, kycProfile: { ...kycProfile, identities: [bvn, { ...nin, issued: 2020 }] } },
    ['kycProfile.identities.1.issued'],
  ],
  [
    'in every item of a list',
    '/v1/dedicated_accounts',
    {
      ...accountRequest,
      kycProfile: {
        ...kycProfile,
        identities: [
          { ...bvn, x: [1] },
          { ...nin, x: {} },
        ],
      },
    },
    ['kycProfile.identities.0.x', 'kycProfile.identities.1.x'],
  ],
];

describe('unknown fields', () => {
  it.each(unknowns)('are ignored by a lenient sandbox: %s', async (_name, path, body) => {
    const response = await call(lenient(), path, { body });
    expect([response.status, response.body.error]).toEqual([200, undefined]);
  });

  it.each(unknowns)('are refused by any other, and named: %s', async (_name, path, body, params) => {
    const response = await call(newSandbox(), path, { body });
    expectRefusal(response, 422, 'validation_failed');
    expect(response.body.error.params.sort()).toEqual(params);
    expect(response.body.error.message).toContain('is not a known field');
  });

  it('are ignored in the query of an endpoint that is not a list', async () => {
    const response = await call(lenient(), '/v1/payments/none?expand=customer');
    expectRefusal(response, 404, 'payment_not_found');
  });

  it('are ignored by the thousand at every depth, quickly', async () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`x${index}`, 1]));
    const body = { ...goodBody, ...many, amount: { ...goodBody.amount, ...many } };
    const cpuMs = await cpuMsOf(async () =>
      expect((await call(lenient(), '/v1/payments', { body })).status).toBe(200),
    );
    expect(cpuMs).toBeLessThan(1000);
  });
});

describe('a lenient sandbox', () => {
  it.each<[string, string, object, string[]]>([
    ['beside an unknown one', '/v1/payments', { ...goodBody, note: 1, reference: '' }, ['reference']],
    [
      'in the same object as an unknown one',
      '/v1/payments',
      { ...goodBody, amount: { value: 0, currency: 'EUR', unit: 1 } },
      ['amount.currency', 'amount.value'],
    ],
    ['that is missing', '/v1/payments', { note: 1 }, ['amount', 'paymentMethod', 'reference']],
    [
      'in an item with unknown ones',
      '/v1/dedicated_accounts',
      {
        ...accountRequest,
        x: 1,
        kycProfile: {
          ...kycProfile,
          identities: [
            { ...bvn, x: 1 },
            { type: 'x', y: 1 },
          ],
        },
      },
      ['kycProfile.identities.1.number', 'kycProfile.identities.1.type'],
    ],
  ])('still refuses an invalid field: %s', async (_name, path, body, params) => {
    const response = await call(lenient(), path, { body });
    expectRefusal(response, 422, 'validation_failed');
    expect(response.body.error.params.sort()).toEqual(params);
    expect(response.body.error.message).not.toContain('is not a known field');
  });
});
