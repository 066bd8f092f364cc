import type { PaymentStatus } from '../../../../src/contract/index.ts';
import type { Currency } from '../../../core/fields.ts';
import type { AcceptedAmountPolicy, PaymentChannel, PaymentMethod } from '../../../service/fields.ts';
import type { Transitions } from './transitions.ts';

export const paymentTransitions: Transitions<PaymentStatus> = {
  initiated: ['awaiting_charge', 'expired', 'failed'],
  awaiting_charge: ['charged', 'expired', 'failed'],
  charged: ['succeeded', 'failed'],
  succeeded: ['reversed'],
  /** Late money. */
  expired: ['charged'],
  failed: [],
  reversed: [],
};

/** Money sent to an account, which the bank accepted or returned. Amounts are in minor units. */
export type Transfer = { id: string; amount: number } & (
  | { status: 'accepted' }
  | { status: 'returned'; reason: string }
);

/** A transfer in a control call. Amounts are in minor units in every dialect. */
export type ControlTransfer = Transfer & { currency: Currency; accountNumber: string; createdAt: string };

/** @param returnReason why the bank returns the money; `undefined` when it accepts it */
export const toTransfer = (
  money: { id: string; amount: number },
  returnReason: string | undefined,
): Transfer =>
  returnReason === undefined
    ? { ...money, status: 'accepted' }
    : { ...money, status: 'returned', reason: returnReason };

/** An event in the life of a payment, with its time in milliseconds since the epoch. Facts are added, never changed. */
export type PaymentFact = { atMs: number } & (
  | { kind: 'transfer'; transfer: Transfer }
  | { kind: 'policy'; acceptedAmountPolicy: AcceptedAmountPolicy }
  | { kind: 'status'; status: PaymentStatus }
);

/**
 * A stored payment, as plain JSON. Its status and charged amount are computed from the facts and the time. Amounts are in
 * minor units, times in milliseconds since the epoch.
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
  /** Of a payment that was created by opening a checkout link. */
  returnUrl?: string | null;
  metadata: Readonly<Record<string, unknown>>;
  createdAtMs: number;
  expiresAtMs: number;
  confirmationMs: number;
  /** The first status. Default: `awaiting_charge`. */
  firstStatus?: 'initiated';
  facts: readonly PaymentFact[];
  /** How many changes callbacks have reported, and when the last one happened. The key is part of the stored format. */
  told: { changes: number; untilMs: number };
};

/** Whether the payment of a link was opened, so that its account is known. */
export const isOpened = ({ firstStatus, facts }: SandboxPayment): boolean =>
  firstStatus !== 'initiated' ||
  facts.some((fact) => fact.kind === 'status' && fact.status === 'awaiting_charge');

export const addFact = (payment: SandboxPayment, fact: PaymentFact): SandboxPayment => ({
  ...payment,
  facts: [...payment.facts, fact],
});

/** The computed state of a payment at one time. */
export type PaymentState = {
  status: PaymentStatus;
  statusSinceMs: number;
  acceptedAmountPolicy: AcceptedAmountPolicy;
  chargedAmount: number;
  /** When the last change happened, by a fact or by time alone. */
  updatedAtMs: number;
};

type PaymentHistory = {
  state: PaymentState;
  /** The states that callbacks report, oldest first: each new status and each new charged amount. */
  changes: readonly PaymentState[];
};

/** Computes the states of a payment from its facts and the time up to `nowMs`. */
export function paymentHistory(record: SandboxPayment, nowMs: number): PaymentHistory {
  const changes: PaymentState[] = [];
  let state: PaymentState = {
    status: record.firstStatus ?? 'awaiting_charge',
    statusSinceMs: record.createdAtMs,
    acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_FIXED',
    chargedAmount: 0,
    updatedAtMs: record.createdAtMs,
  };
  const moveTo = (next: PaymentState): void => {
    if (next.status !== state.status || next.chargedAmount !== state.chargedAmount) changes.push(next);
    state = next;
  };
  for (const fact of record.facts) {
    if (fact.atMs > nowMs) break;
    moveTo(passTime(record, state, fact.atMs));
    moveTo(applyFact(record, state, fact));
  }
  moveTo(passTime(record, state, nowMs));
  return { state, changes };
}

/** Computes the state at `nowMs`. */
export const paymentAt = (record: SandboxPayment, nowMs: number): PaymentState =>
  paymentHistory(record, nowMs).state;

/**
 * Returns `nowMs`, or the time of the last recorded change where that is later. A clock that was set back must not remove
 * money from a payment, nor undo a change that a callback has reported.
 */
export function effectiveMs(record: SandboxPayment, nowMs: number): number {
  return Math.max(nowMs, record.facts.at(-1)?.atMs ?? record.createdAtMs, record.told.untilMs);
}

/** Applies the change that time alone makes, at most one: an account expires, or a charge is confirmed. */
function passTime(record: SandboxPayment, state: PaymentState, untilMs: number): PaymentState {
  const next = nextTimedChange(record, state);
  return next !== undefined && next.atMs <= untilMs ? enterStatus(state, next.status, next.atMs) : state;
}

/** Returns the next change that time alone will make, with its time in milliseconds since the epoch. */
export function nextTimedChange(
  record: SandboxPayment,
  state: PaymentState,
): { status: PaymentStatus; atMs: number } | undefined {
  if (state.status === 'awaiting_charge' || state.status === 'initiated')
    return { status: 'expired', atMs: record.expiresAtMs };
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
      return enterStatus(state, fact.status, fact.atMs);
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
    ? enterStatus(next, 'charged', atMs)
    : next;
}

const enterStatus = (state: PaymentState, status: PaymentStatus, atMs: number): PaymentState => ({
  ...state,
  status,
  statusSinceMs: atMs,
  updatedAtMs: atMs,
});
