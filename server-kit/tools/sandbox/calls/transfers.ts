import * as v from 'valibot';
import type { PaymentStatus } from '../../../../src/contract/index.ts';
import { toWireAmount } from '../../../client/api/amount-unit.ts';
import { exactObject } from '../../../client/api/fields.ts';
import type { AcceptedAmountPolicy } from '../../../client/api/payment.ts';
import { findOrRefuse } from '../errors/sandbox-error.ts';
import { WholeNumber } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import type { AccountRequest, SandboxDedicatedAccount } from '../records/dedicated-account.ts';
import type { PaymentState } from '../records/payment.ts';
import {
  addFact,
  type ControlTransfer,
  effectiveMs,
  paymentAt,
  type SandboxPayment,
  type Transfer,
  toTransfer,
} from '../records/payment.ts';
import { type ControlPayment, toControlPayment, toControlTransfer } from '../records/payment-views.ts';
import { toIso } from '../state/clock.ts';
import { createPayment } from '../world/payments.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { ControlCalls } from './handler.ts';

/** A transfer to send. `amount` is in minor units in every dialect. */
export const TransferInput = exactObject({ accountNumber: v.string(), amount: WholeNumber });
export type TransferInput = v.InferOutput<typeof TransferInput>;

export const transferCalls = {
  /**
   * Sends money to an account. The bank accepts or returns it by the payment's policy and status. Money that an active
   * dedicated account receives becomes a new payment.
   *
   * Refuses with `account_not_found`, `validation_failed`.
   */
  transfer: {
    request: TransferInput,
    run(world, input: TransferInput) {
      const { accountNumber, amount } = parseInput(TransferInput, input);
      const account = world.state.dedicatedAccounts.by('accountNumber', accountNumber);
      if (account !== undefined) return payIntoAccount(world, account, amount);
      const payment = world.state.payments.by('accountNumber', accountNumber);
      const message = `No account has the number "${accountNumber}"; initiate a payment first.`;
      return payIntoPayment(world, findOrRefuse(payment, 'account_not_found', message), amount);
    },
  },
} satisfies ControlCalls;

/** `payment` is `null` when a dedicated account has returned the money. */
export type TransferResult = { transfer: ControlTransfer; payment: ControlPayment | null };

/** Sends an amount in minor units to the account of a payment. */
function payIntoPayment(
  { clock, payments, mint }: SandboxWorld,
  payment: SandboxPayment,
  amount: number,
): TransferResult {
  const atMs = effectiveMs(payment, clock.now());
  const reason = returnReason(paymentAt(payment, atMs), payment, amount);
  const transfer = toTransfer({ id: mint.id('trf'), amount }, reason);
  const record = payments.put(addFact(payment, { kind: 'transfer', atMs, transfer }));
  return { transfer: toControlTransfer(record, transfer, atMs), payment: toControlPayment(record, atMs) };
}

/**
 * Sends an amount in minor units to a dedicated account. An active account accepts any amount in every policy, because no
 * amount is expected, and each transfer becomes a payment. Other accounts return the money.
 */
function payIntoAccount(
  world: SandboxWorld,
  account: SandboxDedicatedAccount,
  amount: number,
): TransferResult {
  const { clock, mint, state, payments } = world;
  const { status, currency, accountNumber } = account;
  const reason = status === 'active' ? undefined : `The account is ${status}; it accepts no more money.`;
  const transfer = toTransfer({ id: mint.id('trf'), amount }, reason);
  const shown = { ...transfer, currency, accountNumber, createdAt: toIso(clock.now()) };
  state.accountTransfers.put(shown);
  if (transfer.status === 'returned') return { transfer: shown, payment: null };
  const payment = payments.put(chargedPayment(world, account, transfer));
  return { transfer: shown, payment: toControlPayment(payment, clock.now()) };
}

function chargedPayment(
  world: SandboxWorld,
  account: SandboxDedicatedAccount,
  transfer: Transfer,
): SandboxPayment {
  const { email, callbackUrl } = requestOf(world, account);
  const { accountName: name, accountNumber, bankName, customerId, currency, acceptedAmountPolicy } = account;
  const payment = createPayment(world, {
    reference: world.mint.id('ref'),
    paymentMethod: 'dedicated_virtual_account',
    paymentChannel: 'bank_account',
    account: { number: accountNumber, name, bankName },
    expectedAmount: transfer.amount,
    currency,
    customer: { id: customerId, name, email },
    callbackUrl,
    acceptedAmountPolicy,
    metadata: {},
  });
  return addFact(payment, { kind: 'transfer', atMs: payment.createdAtMs, transfer });
}

function requestOf(
  { state }: SandboxWorld,
  { id, accountRequestCode }: SandboxDedicatedAccount,
): AccountRequest {
  const request = state.accountRequests.get(accountRequestCode);
  if (request !== undefined) return request;
  throw new Error(`The account ${id} is on record without its request ${accountRequestCode}.`);
}

type PolicyRule = {
  /** Whether an open payment with a `missing` amount accepts this amount. */
  accepts: (amount: number, missing: number) => boolean;
  /** Whether a paid payment accepts more money. */
  acceptsMoreWhenPaid: boolean;
  /** Describes the accepted amount in the reason of a return. */
  qualifier: string;
};

/** The amounts that each policy accepts (interface, section 2.5). The service does not define them; these are our choice. */
const policyRules: Readonly<Record<AcceptedAmountPolicy, PolicyRule>> = {
  ACCEPTED_AMOUNT_POLICY_FIXED: {
    accepts: (amount, missing) => amount === missing,
    acceptsMoreWhenPaid: false,
    qualifier: 'exactly',
  },
  ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL: {
    accepts: (amount, missing) => amount <= missing,
    acceptsMoreWhenPaid: false,
    qualifier: 'at most',
  },
  ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS: {
    accepts: (amount, missing) => amount >= missing,
    acceptsMoreWhenPaid: true,
    qualifier: 'at least',
  },
  ACCEPTED_AMOUNT_POLICY_ALLOW_ANY: {
    accepts: () => true,
    acceptsMoreWhenPaid: true,
    qualifier: 'any amount near',
  },
};

/** An expired payment counts as open, so that late money is not lost. */
const standings: Readonly<Record<PaymentStatus, 'open' | 'paid' | 'closed'>> = {
  initiated: 'closed',
  awaiting_charge: 'open',
  expired: 'open',
  charged: 'paid',
  succeeded: 'paid',
  failed: 'closed',
  reversed: 'closed',
};

/** Returns why the bank returns the money; `undefined` when it accepts it. Amounts are in minor units. */
function returnReason(
  state: PaymentState,
  { expectedAmount, currency }: Pick<SandboxPayment, 'expectedAmount' | 'currency'>,
  amount: number,
): string | undefined {
  const rule = policyRules[state.acceptedAmountPolicy];
  const standing = standings[state.status];
  if (standing === 'closed') return `The payment is ${state.status}; its account accepts no more money.`;
  if (!Number.isSafeInteger(state.chargedAmount + amount)) return 'The account cannot hold that much.';
  if (standing === 'paid') {
    return rule.acceptsMoreWhenPaid ? undefined : 'The payment is paid; its account accepts no more money.';
  }
  const missing = expectedAmount - state.chargedAmount;
  if (rule.accepts(amount, missing)) return undefined;
  const format = new Intl.NumberFormat('en-NG', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const inWords = (minor: number): string => format.format(toWireAmount(minor, 'major'));
  return `The account accepts ${rule.qualifier} ${inWords(missing)} now; ${inWords(amount)} was sent.`;
}
