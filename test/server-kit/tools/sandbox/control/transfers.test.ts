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

/** The transfers sent, what the bank did with each, and the money that the payment then has. */
type Row = [Policy, string, number[], string, charged: number, 'paid' | 'unpaid'];

const rows: Row[] = [
  ['FIXED', 'exact', [expected], 'accepted', expected, 'paid'],
  ['FIXED', 'one less', [expected - 1], 'returned', 0, 'unpaid'],
  ['FIXED', 'one more', [expected + 1], 'returned', 0, 'unpaid'],
  ['FIXED', 'exact twice', [expected, expected], 'accepted returned', expected, 'paid'],
  ['FIXED', 'less, then exact', [5, expected], 'returned accepted', expected, 'paid'],
  ['PARTIAL', 'exact', [expected], 'accepted', expected, 'paid'],
  ['PARTIAL', 'one less', [expected - 1], 'accepted', expected - 1, 'unpaid'],
  ['PARTIAL', 'one more', [expected + 1], 'returned', 0, 'unpaid'],
  ['PARTIAL', 'in two parts', [1_000_000, 250_000], 'accepted accepted', expected, 'paid'],
  ['PARTIAL', 'a part, then too much', [1_000_000, 250_001], 'accepted returned', 1_000_000, 'unpaid'],
  ['PARTIAL', 'exact twice', [expected, expected], 'accepted returned', expected, 'paid'],
  ['EXCESS', 'exact', [expected], 'accepted', expected, 'paid'],
  ['EXCESS', 'one less', [expected - 1], 'returned', 0, 'unpaid'],
  ['EXCESS', 'one more', [expected + 1], 'accepted', expected + 1, 'paid'],
  ['EXCESS', 'exact twice', [expected, expected], 'accepted accepted', 2 * expected, 'paid'],
  ['EXCESS', 'exact, then less', [expected, 7], 'accepted accepted', expected + 7, 'paid'],
  ['ANY', 'exact', [expected], 'accepted', expected, 'paid'],
  ['ANY', 'one less', [expected - 1], 'accepted', expected - 1, 'paid'],
  ['ANY', 'one more', [expected + 1], 'accepted', expected + 1, 'paid'],
  ['ANY', 'less, then the rest', [1, expected - 1], 'accepted accepted', expected, 'paid'],
  ['ANY', 'exact twice', [expected, expected], 'accepted accepted', 2 * expected, 'paid'],
];

describe.each([
  ['in time', 60, 'awaiting_charge', '09:30:00', '09:31:00'],
  ['that comes late', 1800, 'expired', '09:45:00', '10:00:00'],
] as const)('money %s', (_when, afterSeconds, unpaid, before, then) => {
  it.each(rows)(
    'is accepted, or returned, as the policy says: %s, %s',
    async (policy, _name, amounts, outcomes, charged, end) => {
      const { send, retrieve, pass } = await openPayment(policy);
      pass(afterSeconds);
      expect(amounts.map((amount) => send(amount).status).join(' ')).toBe(outcomes);
      const status = end === 'paid' ? 'succeeded' : unpaid;
      expect(await retrieve()).toEqual([status, charged, charged === 0 ? before : then]);
    },
  );
});

describe('returned money', () => {
  it('has a reason and stays in the list', async () => {
    const { sandbox, send } = await openPayment();
    const returned = send(5);
    const reason = 'The account accepts exactly ₦12,500.00 now; ₦0.05 was sent.';
    expect(returned).toMatchObject({ amount: 5, status: 'returned', reason });
    const taken = send(expected);
    expect(taken).not.toHaveProperty('reason');
    expect(send(expected)).toMatchObject({ reason: expect.stringMatching(/is paid/) });
    expect(sandbox.control.listPayments()[0]?.transfers.slice(0, 2)).toEqual([returned, taken]);
  });

  it('is what would make the sum no safe integer', async () => {
    const { send, retrieve } = await openPayment('ANY');
    expect(send(Number.MAX_SAFE_INTEGER).status).toBe('accepted');
    expect(send(1)).toMatchObject({ status: 'returned', reason: expect.stringMatching(/cannot hold/) });
    expect((await retrieve())[1]).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(Object.keys(policies) as Policy[])(
    'is all that comes after a failure or a reversal, under %s',
    async (policy) => {
      const failed = await openPayment(policy);
      failed.update({ status: 'failed' });
      const reason = expect.stringMatching(/failed/);
      expect(failed.send(expected)).toMatchObject({ status: 'returned', reason });
      expect((await failed.retrieve()).slice(0, 2)).toEqual(['failed', 0]);
      const reversed = await openPayment(policy);
      reversed.send(expected);
      reversed.update({ status: 'reversed' });
      expect(reversed.send(1).status).toBe('returned');
      expect((await reversed.retrieve()).slice(0, 2)).toEqual(['reversed', expected]);
    },
  );
});
