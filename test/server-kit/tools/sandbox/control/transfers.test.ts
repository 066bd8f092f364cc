import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { initiate, newSandbox, verify } from '../sandbox-kit.ts';

const expected = 1_250_000;
const policies = {
  FIXED: 'ACCEPTED_AMOUNT_POLICY_FIXED',
  PARTIAL: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
  EXCESS: 'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS',
  ANY: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
} as const;
type Policy = keyof typeof policies;

/** A payment of 1,250,000 that waits for 900 s, and what is done to it. */
async function openPayment(policy: Policy = 'FIXED', options: SandboxOptions = {}) {
  const sandbox = newSandbox(options);
  const { accountNumber, reference } = await initiate(sandbox);
  const update = (input: Parameters<Sandbox['control']['updatePayment']>[1]) =>
    sandbox.control.updatePayment(reference, input);
  if (policy !== 'FIXED') update({ acceptedAmountPolicy: policies[policy] });
  return {
    sandbox,
    update,
    send: (amount: number) => sandbox.control.transfer({ accountNumber, amount }).transfer,
    pass: (advanceSeconds: number) => sandbox.control.setClock({ advanceSeconds }),
    retrieve: async () => {
      const { status, chargedAmount, updatedAt } = await verify(sandbox);
      return [status, chargedAmount, updatedAt.slice(11, 19)];
    },
  };
}

type Outcome = ['accepted' | 'returned', ...string[]];
/** The transfers sent, what the bank did with each, and what the payment is then. */
type Row = [Policy, string, number[], Outcome, string, number];

const inTime: Row[] = [
  ['FIXED', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['FIXED', 'one less', [expected - 1], ['returned'], 'awaiting_charge', 0],
  ['FIXED', 'one more', [expected + 1], ['returned'], 'awaiting_charge', 0],
  ['FIXED', 'exact twice', [expected, expected], ['accepted', 'returned'], 'succeeded', expected],
  ['FIXED', 'less, then exact', [5, expected], ['returned', 'accepted'], 'succeeded', expected],
  ['PARTIAL', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['PARTIAL', 'one less', [expected - 1], ['accepted'], 'awaiting_charge', expected - 1],
  ['PARTIAL', 'one more', [expected + 1], ['returned'], 'awaiting_charge', 0],
  ['PARTIAL', 'in two parts', [1_000_000, 250_000], ['accepted', 'accepted'], 'succeeded', expected],
  [
    'PARTIAL',
    'a part, then too much',
    [1_000_000, 250_001],
    ['accepted', 'returned'],
    'awaiting_charge',
    1_000_000,
  ],
  ['PARTIAL', 'exact twice', [expected, expected], ['accepted', 'returned'], 'succeeded', expected],
  ['EXCESS', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['EXCESS', 'one less', [expected - 1], ['returned'], 'awaiting_charge', 0],
  ['EXCESS', 'one more', [expected + 1], ['accepted'], 'succeeded', expected + 1],
  ['EXCESS', 'exact twice', [expected, expected], ['accepted', 'accepted'], 'succeeded', 2 * expected],
  ['EXCESS', 'exact, then less', [expected, 7], ['accepted', 'accepted'], 'succeeded', expected + 7],
  ['ANY', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['ANY', 'one less', [expected - 1], ['accepted'], 'succeeded', expected - 1],
  ['ANY', 'one more', [expected + 1], ['accepted'], 'succeeded', expected + 1],
  ['ANY', 'less, then the rest', [1, expected - 1], ['accepted', 'accepted'], 'succeeded', expected],
  ['ANY', 'exact twice', [expected, expected], ['accepted', 'accepted'], 'succeeded', 2 * expected],
];

describe('money in time', () => {
  it.each(inTime)(
    'is accepted, or returned, as the policy says: %s, %s',
    async (policy, _name, amounts, outcomes, status, charged) => {
      const { send, retrieve, pass } = await openPayment(policy);
      pass(60);
      expect(amounts.map((amount) => send(amount).status)).toEqual(outcomes);
      expect(await retrieve()).toEqual([status, charged, charged === 0 ? '09:30:00' : '09:31:00']);
    },
  );

  it('is returned with a reason and stays in the list', async () => {
    const { sandbox, send } = await openPayment();
    const returned = send(5);
    expect(returned).toEqual({
      id: expect.stringMatching(/^trf_/),
      accountNumber: expect.stringMatching(/^\d{10}$/),
      amount: 5,
      currency: 'NGN',
      status: 'returned',
      reason: 'The account accepts exactly ₦12,500.00 now; ₦0.05 was sent.',
      createdAt: '2026-01-02T09:30:00.000Z',
    });
    const taken = send(expected);
    expect(taken).not.toHaveProperty('reason');
    expect(send(expected)).toMatchObject({ reason: expect.stringMatching(/is paid/) });
    expect(sandbox.control.listPayments()[0]?.transfers.slice(0, 2)).toEqual([returned, taken]);
  });

  it('is returned when the sum would not be a safe integer', async () => {
    const { send, retrieve } = await openPayment('ANY');
    expect(send(Number.MAX_SAFE_INTEGER).status).toBe('accepted');
    expect(send(1)).toMatchObject({ status: 'returned', reason: expect.stringMatching(/cannot hold/) });
    expect((await retrieve())[1]).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('expiry', () => {
  it('happens at the exact second and has that time', async () => {
    const { retrieve, pass } = await openPayment();
    pass(899);
    expect(await retrieve()).toEqual(['awaiting_charge', 0, '09:30:00']);
    pass(1);
    expect(await retrieve()).toEqual(['expired', 0, '09:45:00']);
    pass(86_400);
    expect(await retrieve()).toEqual(['expired', 0, '09:45:00']);
  });
});

const late: Row[] = [
  ['FIXED', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['FIXED', 'less', [5], ['returned'], 'expired', 0],
  ['FIXED', 'more', [expected + 1], ['returned'], 'expired', 0],
  ['FIXED', 'twice', [expected, expected], ['accepted', 'returned'], 'succeeded', expected],
  ['PARTIAL', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['PARTIAL', 'less', [5], ['accepted'], 'expired', 5],
  ['PARTIAL', 'more', [expected + 1], ['returned'], 'expired', 0],
  ['PARTIAL', 'twice', [expected, expected], ['accepted', 'returned'], 'succeeded', expected],
  ['PARTIAL', 'in two parts', [5, expected - 5], ['accepted', 'accepted'], 'succeeded', expected],
  ['EXCESS', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['EXCESS', 'twice', [expected, expected], ['accepted', 'accepted'], 'succeeded', 2 * expected],
  ['EXCESS', 'less', [5], ['returned'], 'expired', 0],
  ['EXCESS', 'more', [expected + 1], ['accepted'], 'succeeded', expected + 1],
  ['ANY', 'exact', [expected], ['accepted'], 'succeeded', expected],
  ['ANY', 'less', [5], ['accepted'], 'succeeded', 5],
  ['ANY', 'more', [expected + 1], ['accepted'], 'succeeded', expected + 1],
  ['ANY', 'twice', [expected, expected], ['accepted', 'accepted'], 'succeeded', 2 * expected],
];

describe('late money', () => {
  it.each(late)(
    'is accepted, or returned, as the policy says: %s, %s',
    async (policy, _name, amounts, outcomes, status, charged) => {
      const { send, retrieve, pass } = await openPayment(policy);
      pass(1800);
      expect(amounts.map((amount) => send(amount).status)).toEqual(outcomes);
      expect(await retrieve()).toEqual([status, charged, charged === 0 ? '09:45:00' : '10:00:00']);
    },
  );
});

describe('confirmation', () => {
  it('takes confirmationSeconds on the clock and has the time of its end', async () => {
    const { send, retrieve, pass } = await openPayment('EXCESS', { confirmationSeconds: 60 });
    send(expected);
    pass(59);
    expect(await retrieve()).toEqual(['charged', expected, '09:30:00']);
    send(1);
    expect(await retrieve()).toEqual(['charged', expected + 1, '09:30:59']);
    pass(1);
    expect(await retrieve()).toEqual(['succeeded', expected + 1, '09:31:00']);
    pass(500);
    expect(await retrieve()).toEqual(['succeeded', expected + 1, '09:31:00']);
  });
});

describe('money for one payment that is sent to the account of another', () => {
  it.each(Object.keys(policies) as Policy[])('belongs to the other under %s', async (policy) => {
    const { sandbox, retrieve, update, send } = await openPayment(policy);
    const other = await initiate(sandbox, { reference: 'ord_other' });
    const { transfer } = sandbox.control.transfer({ accountNumber: other.accountNumber, amount: expected });
    expect(transfer.status).toBe('accepted');
    expect(await retrieve()).toEqual(['awaiting_charge', 0, '09:30:00']);
    sandbox.control.updatePayment('ord_other', { status: 'reversed' });
    expect(send(expected).status).toBe('accepted');
    update({ status: 'reversed' });
    expect((await retrieve()).slice(0, 2)).toEqual(['reversed', expected]);
  });
});

describe('a payment that has failed or was reversed', () => {
  it.each(Object.keys(policies) as Policy[])('returns all money under %s', async (policy) => {
    const failed = await openPayment(policy);
    failed.update({ status: 'failed' });
    expect(failed.send(expected)).toMatchObject({
      status: 'returned',
      reason: expect.stringMatching(/failed/),
    });
    expect((await failed.retrieve()).slice(0, 2)).toEqual(['failed', 0]);

    const reversed = await openPayment(policy);
    reversed.send(expected);
    reversed.update({ status: 'reversed' });
    expect(reversed.send(1).status).toBe('returned');
    expect((await reversed.retrieve()).slice(0, 2)).toEqual(['reversed', expected]);
  });
});
