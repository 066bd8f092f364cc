import type { PaymentStatus } from '../../../src/contract/index.ts';
import type { Currency } from '../../api/fields.ts';
import type { AcceptedAmountPolicy, PaymentChannel, PaymentMethod } from '../../api/payment.ts';
import type { Transfer } from './transfer.ts';
import type { Transitions } from './transitions.ts';

export const paymentTransitions: Transitions<PaymentStatus> = {
  initiated: ['awaiting_charge', 'expired', 'failed'],
  awaiting_charge: ['charged', 'expired', 'failed'],
  charged: ['succeeded', 'failed'],
  succeeded: ['reversed'],
  /** Money that lands late. */
  expired: ['charged'],
  failed: [],
  reversed: [],
};

/** Something that happened to a payment, and when, in milliseconds since the epoch. Facts are only ever added. */
export type PaymentFact = { atMs: number } & (
  | { kind: 'transfer'; transfer: Transfer }
  | { kind: 'policy'; acceptedAmountPolicy: AcceptedAmountPolicy }
  | { kind: 'status'; status: PaymentStatus }
);

/**
 * All that is kept of a payment: plain JSON. Its status and amounts are not kept; they follow from this and the
 * time. Amounts in minor units, moments in milliseconds since the epoch.
 */
export type SandboxPayment = {
  id: string;
  reference: string;
  accessToken: string;
  paymentMethod: PaymentMethod;
  paymentChannel: PaymentChannel;
  account: { number: string; name: string; bankName: string };
  expectedAmount: number;
  currency: Currency;
  customer: { id: string; name: string; email: string } | null;
  callbackUrl: string | null;
  /** Of a payment that was made by opening a checkout link. */
  returnUrl?: string | null;
  metadata: Readonly<Record<string, unknown>>;
  createdAtMs: number;
  expiresAtMs: number;
  confirmationMs: number;
  facts: readonly PaymentFact[];
  /** How many of its changes callbacks have told of, and when the last was: it has happened, whatever the clock says. */
  told: { changes: number; untilMs: number };
};

/** A copy to which the fact is added. */
export const addFact = (payment: SandboxPayment, fact: PaymentFact): SandboxPayment => ({
  ...payment,
  facts: [...payment.facts, fact],
});

/** What a payment is at a moment. */
export type PaymentState = {
  status: PaymentStatus;
  statusSinceMs: number;
  acceptedAmountPolicy: AcceptedAmountPolicy;
  chargedAmount: number;
  /** The moment of the last change, whether somebody or time made it. */
  updatedAtMs: number;
};

export type PaymentHistory = {
  /** The last of all. */
  state: PaymentState;
  /** Each state that callbacks tell of: another status was entered, or more was charged. Oldest first. */
  changes: readonly PaymentState[];
};

/** What follows from the facts up to `nowMs`, and from the time that has passed. */
export function paymentHistory(record: SandboxPayment, nowMs: number): PaymentHistory {
  const changes: PaymentState[] = [];
  let state: PaymentState = {
    status: 'awaiting_charge',
    statusSinceMs: record.createdAtMs,
    acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_FIXED',
    chargedAmount: 0,
    updatedAtMs: record.createdAtMs,
  };
  const become = (next: PaymentState): void => {
    if (next.status !== state.status || next.chargedAmount !== state.chargedAmount) changes.push(next);
    state = next;
  };
  for (const fact of record.facts) {
    if (fact.atMs > nowMs) break;
    become(passTime(record, state, fact.atMs));
    become(applyFact(record, state, fact));
  }
  become(passTime(record, state, nowMs));
  return { state, changes };
}

/** The state at `nowMs`. */
export const paymentAt = (record: SandboxPayment, nowMs: number): PaymentState =>
  paymentHistory(record, nowMs).state;

/**
 * The moment to work with: `nowMs`, but never before what is on record. A clock may step back; a payment must not lose
 * money by it, nor take back what was told of it.
 */
export function effectiveMs(record: SandboxPayment, nowMs: number): number {
  return Math.max(nowMs, record.facts.at(-1)?.atMs ?? record.createdAtMs, record.told.untilMs);
}

/** What time alone does, at most one thing: an account stops waiting, or a charge is confirmed. */
function passTime(record: SandboxPayment, state: PaymentState, untilMs: number): PaymentState {
  const next = nextTimedChange(record, state);
  return next !== undefined && next.atMs <= untilMs ? enter(state, next.status, next.atMs) : state;
}

/** What time alone will make of the payment next, and when, in milliseconds since the epoch. */
export function nextTimedChange(
  record: SandboxPayment,
  state: PaymentState,
): { status: PaymentStatus; atMs: number } | undefined {
  if (state.status === 'awaiting_charge') return { status: 'expired', atMs: record.expiresAtMs };
  if (state.status === 'charged') {
    return { status: 'succeeded', atMs: state.statusSinceMs + record.confirmationMs };
  }
  return undefined;
}

function applyFact(record: SandboxPayment, state: PaymentState, fact: PaymentFact): PaymentState {
  switch (fact.kind) {
    case 'policy':
      return { ...state, acceptedAmountPolicy: fact.acceptedAmountPolicy, updatedAtMs: fact.atMs };
    case 'status':
      return enter(state, fact.status, fact.atMs);
    case 'transfer':
      return applyTransfer(record, state, fact);
  }
}

function applyTransfer(
  record: SandboxPayment,
  state: PaymentState,
  { transfer, atMs }: Extract<PaymentFact, { kind: 'transfer' }>,
): PaymentState {
  if (transfer.status === 'returned') return state;
  const chargedAmount = state.chargedAmount + transfer.amount;
  const next = { ...state, chargedAmount, updatedAtMs: atMs };
  const isEnough =
    chargedAmount >= record.expectedAmount ||
    state.acceptedAmountPolicy === 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY';
  return isEnough && paymentTransitions[state.status].includes('charged')
    ? enter(next, 'charged', atMs)
    : next;
}

const enter = (state: PaymentState, status: PaymentStatus, atMs: number): PaymentState => ({
  ...state,
  status,
  statusSinceMs: atMs,
  updatedAtMs: atMs,
});
