import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedAmountPolicies } from '../../../../../server-kit/service/fields.ts';
import { paymentTransitions } from '../../../../../server-kit/tools/sandbox/index.ts';
import {
  effectiveMs,
  type PaymentFact,
  type PaymentState,
  paymentAt,
  type SandboxPayment,
} from '../../../../../server-kit/tools/sandbox/records/payment.ts';
import { type PaymentStatus, paymentStatuses } from '../../../../../src/contract/index.ts';
import { initiate, newSandbox, verify } from '../sandbox-kit.ts';

const emptyRecord: SandboxPayment = {
  id: 'pay_1',
  reference: 'ord_1',
  accessToken: 'tok_1',
  paymentMethod: 'pay_with_transfer',
  paymentChannel: 'api',
  account: { number: '0000014579', name: 'Shop', bankName: 'Bank' },
  expectedAmount: 1000,
  currency: 'NGN',
  customer: null,
  callbackUrl: null,
  metadata: {},
  createdAtMs: 0,
  expiresAtMs: 100_000,
  confirmationMs: 20_000,
  facts: [],
  told: { changes: 0, untilMs: 0 },
};

/** How a payment is brought to each status, by control calls alone. */
const ways: Record<PaymentStatus, readonly PaymentStatus[] | undefined> = {
  // A payment leaves this state before any request can read it.
  initiated: undefined,
  awaiting_charge: [],
  charged: ['charged'],
  succeeded: ['charged', 'succeeded'],
  failed: ['failed'],
  expired: ['expired'],
  reversed: ['charged', 'succeeded', 'reversed'],
};
const pairs = paymentStatuses.flatMap((from) => paymentStatuses.map((to) => ({ from, to })));

describe('the transitions of a payment', () => {
  it('are the ones agreed on', () => {
    const table = pairs.filter(({ from, to }) => paymentTransitions[from].includes(to));
    expect(table.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual(
      [
        'initiated -> awaiting_charge',
        'initiated -> expired',
        'initiated -> failed',
        'awaiting_charge -> charged',
        'awaiting_charge -> expired',
        'awaiting_charge -> failed',
        'charged -> succeeded',
        'charged -> failed',
        'succeeded -> reversed',
        'expired -> charged',
      ].sort(),
    );
  });

  it.each(pairs.filter(({ from }) => ways[from] !== undefined))(
    'decide whether a control call moves $from to $to',
    async ({ from, to }) => {
      const sandbox = newSandbox({ confirmationSeconds: 60 });
      const { reference } = await initiate(sandbox);
      for (const status of ways[from] ?? []) sandbox.control.updatePayment(reference, { status });
      expect((await verify(sandbox)).status).toBe(from);
      sandbox.control.setClock({ advanceSeconds: 1 });
      const move = () => sandbox.control.updatePayment(reference, { status: to });
      if (paymentTransitions[from].includes(to)) {
        expect(move()).toMatchObject({ status: to, nextStatuses: paymentTransitions[to] });
        expect(await verify(sandbox)).toMatchObject({ status: to, updatedAt: '2026-01-02T09:30:01.000Z' });
      } else {
        expect(move).toThrow(
          expect.objectContaining({ status: 409, code: 'transition_not_allowed', params: ['status'] }),
        );
        expect(await verify(sandbox)).toMatchObject({ status: from, updatedAt: '2026-01-02T09:30:00.000Z' });
      }
    },
  );
});

type Step = { afterMs: number } & (
  | { does: 'transfer'; amount: number }
  | { does: 'policy'; policy: (typeof acceptedAmountPolicies)[number] }
  | { does: 'status'; status: PaymentStatus }
);
const afterMs = fc.integer({ min: 0, max: 60_000 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      afterMs,
      does: fc.constant('transfer' as const),
      amount: fc.constantFrom(1, 400, 600, 1000, 1001),
    }),
    fc.record({
      afterMs,
      does: fc.constant('policy' as const),
      policy: fc.constantFrom(...acceptedAmountPolicies),
    }),
    fc.record({ afterMs, does: fc.constant('status' as const), status: fc.constantFrom(...paymentStatuses) }),
  ),
  { maxLength: 12 },
);

/** Plays steps as the control calls do: what the rules refuse leaves no fact. */
function play(taken: readonly Step[]): SandboxPayment {
  let atMs = 0;
  let record = emptyRecord;
  const add = (fact: PaymentFact) => {
    record = { ...record, facts: [...record.facts, fact] };
  };
  for (const [index, step] of taken.entries()) {
    atMs += step.afterMs;
    const state = paymentAt(record, atMs);
    if (step.does === 'policy') add({ kind: 'policy', atMs, acceptedAmountPolicy: step.policy });
    else if (step.does === 'status') {
      if (paymentTransitions[state.status].includes(step.status))
        add({ kind: 'status', atMs, status: step.status });
    } else {
      const id = `trf_${index}`;
      const reason = ['failed', 'reversed'].includes(state.status) ? 'It is closed.' : undefined;
      const { amount } = step;
      const transfer =
        reason === undefined
          ? ({ id, amount, status: 'accepted' } as const)
          : ({ id, amount, status: 'returned', reason } as const);
      add({ kind: 'transfer', atMs, transfer });
    }
  }
  return record;
}

const canReach = (from: PaymentStatus, to: PaymentStatus, seen: readonly PaymentStatus[] = []): boolean =>
  from === to ||
  paymentTransitions[from].some((next) => !seen.includes(next) && canReach(next, to, [...seen, from]));

describe('paymentAt', () => {
  it('moves only along the table, with updatedAt never in the future and never decreasing', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const record = play(taken);
        let before: PaymentState = paymentAt(record, 0);
        for (let nowMs = 0; nowMs < 900_000; nowMs += 5000) {
          const state = paymentAt(record, nowMs);
          expect(canReach(before.status, state.status)).toBe(true);
          expect(state.updatedAtMs).toBeGreaterThanOrEqual(before.updatedAtMs);
          expect(state.updatedAtMs).toBeLessThanOrEqual(nowMs);
          expect(state.chargedAmount).toBeGreaterThanOrEqual(before.chargedAmount);
          if (state.status !== before.status) expect(state.updatedAtMs).toBeGreaterThan(nowMs - 5000);
          before = state;
        }
      }),
    );
  });

  it('counts exactly the money that was accepted', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const record = play(taken);
        const accepted = record.facts.flatMap((fact) =>
          fact.kind === 'transfer' && fact.transfer.status === 'accepted' ? [fact.transfer.amount] : [],
        );
        const sum = accepted.reduce((total, amount) => total + amount, 0);
        expect(paymentAt(record, 1_000_000).chargedAmount).toBe(sum);
      }),
    );
  });

  it('depends only on records and time, so that a copy through JSON is the same payment', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 900_000 }), (taken, nowMs) => {
        const record = play(taken);
        const copy: SandboxPayment = JSON.parse(JSON.stringify(record));
        expect(paymentAt(copy, nowMs)).toEqual(paymentAt(record, nowMs));
      }),
    );
  });

  it('computes the state before a fact', () => {
    const transfer = { id: 'trf_1', amount: 1000, status: 'accepted' } as const;
    const record = { ...emptyRecord, facts: [{ kind: 'transfer' as const, atMs: 50_000, transfer }] };
    const statuses = [0, 49_999, 50_000, 69_999, 70_000].map((nowMs) => paymentAt(record, nowMs).status);
    expect(statuses).toEqual(['awaiting_charge', 'awaiting_charge', 'charged', 'charged', 'succeeded']);
    expect([effectiveMs(record, 10), effectiveMs(record, 60_000)]).toEqual([50_000, 60_000]);
  });
});
