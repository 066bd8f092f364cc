import * as v from 'valibot';
import type { PaymentStatus } from '../../../../src/contract/index.ts';
import { toMajor } from '../../../service/amounts.ts';
import type { AcceptedAmountPolicy } from '../../../service/fields.ts';
import { findOrRefuse } from '../errors.ts';
import { parseInput, WholeNumber } from '../input/fields.ts';
import type { SandboxDedicatedAccount } from '../records/dedicated-account.ts';
import {
  addFact,
  type ControlTransfer,
  effectiveMs,
  type PaymentState,
  paymentAt,
  type SandboxPayment,
  toTransfer,
} from '../records/payment.ts';
import { type ControlPayment, toControlPayment, toControlTransfer } from '../records/payment-views.ts';
import { toIso } from '../state/clock.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import { createPayment } from '../world/payments.ts';
import type { ControlCalls } from './handler.ts';

/** A transfer to send. `amount` is in minor units in every dialect. */
const TransferInput = v.strictObject({ accountNumber: v.string(), amount: WholeNumber });
export type TransferInput = v.InferOutput<typeof TransferInput>;

export const transferCalls = {
  /**
   * Sends money to an account. The bank accepts or returns it by the payment's policy and status. Money that an active dedicated account
   * receives becomes a new payment. Refuses with `account_not_found`, `validation_failed`.
   */
  transfer: { request: TransferInput, run: transfer },
} satisfies ControlCalls;

/** `payment` is `null` when a dedicated account has returned the money. */
export type TransferResult = { transfer: ControlTransfer; payment: ControlPayment | null };

function transfer(world: SandboxWorld, input: TransferInput): TransferResult {
  const { accountNumber, amount } = parseInput(TransferInput, input);
  const { clock, mint, payments, state } = world;
  const account = state.dedicatedAccounts.find((one) => one.accountNumber === accountNumber);
  if (account !== undefined) return payIntoAccount(world, account, amount);
  const message = `No account has the number "${accountNumber}"; initiate a payment first.`;
  const found = state.payments.find((one) => one.account.number === accountNumber);
  const payment = findOrRefuse(found, 'account_not_found', message);
  const atMs = effectiveMs(payment, clock.now());
  const reason = returnReason(paymentAt(payment, atMs), payment, amount);
  const sent = toTransfer({ id: mint.id('trf'), amount }, reason);
  const record = payments.put(addFact(payment, { kind: 'transfer', atMs, transfer: sent }));
  return { transfer: toControlTransfer(record, sent, atMs), payment: toControlPayment(record, atMs) };
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
  const { status, currency, accountNumber, accountName: name, bankName, customerId } = account;
  const reason = status === 'active' ? undefined : `The account is ${status}; it accepts no more money.`;
  const sent = toTransfer({ id: mint.id('trf'), amount }, reason);
  const shown = { ...sent, currency, accountNumber, createdAt: toIso(clock.now()) };
  state.accountTransfers.put(shown);
  if (sent.status === 'returned') return { transfer: shown, payment: null };
  const { email = '', callbackUrl = null } = state.accountRequests.get(account.accountRequestCode) ?? {};
  const payment = createPayment(world, {
    reference: mint.id('ref'),
    paymentMethod: 'dedicated_virtual_account',
    paymentChannel: 'bank_account',
    account: { number: accountNumber, name, bankName },
    expectedAmount: amount,
    currency,
    customer: { id: customerId, name, email },
    callbackUrl,
    acceptedAmountPolicy: account.acceptedAmountPolicy,
    metadata: {},
  });
  const record = addFact(payment, { kind: 'transfer', atMs: payment.createdAtMs, transfer: sent });
  return { transfer: shown, payment: toControlPayment(payments.put(record), clock.now()) };
}

type PolicyRule = readonly [
  accepts: (amount: number, missing: number) => boolean,
  /** Describes the accepted amount in the reason of a return. */
  qualifier: string,
  acceptsMoreWhenPaid: boolean,
];

/** The amounts that each policy accepts (interface, section 2.5). The service does not define them; these are our choice. */
const policyRules: Readonly<Record<AcceptedAmountPolicy, PolicyRule>> = {
  ACCEPTED_AMOUNT_POLICY_FIXED: [(amount, missing) => amount === missing, 'exactly', false],
  ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL: [(amount, missing) => amount <= missing, 'at most', false],
  ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS: [(amount, missing) => amount >= missing, 'at least', true],
  ACCEPTED_AMOUNT_POLICY_ALLOW_ANY: [() => true, 'any amount near', true],
};

const closed: readonly PaymentStatus[] = ['initiated', 'failed', 'reversed'];
const paid: readonly PaymentStatus[] = ['charged', 'succeeded'];

/**
 * Returns why the bank returns the money; `undefined` when it accepts it. Amounts are in minor units. An expired payment
 * counts as open, so that late money is not lost.
 */
function returnReason(
  { status, acceptedAmountPolicy, chargedAmount }: PaymentState,
  { expectedAmount, currency }: SandboxPayment,
  amount: number,
): string | undefined {
  const [accepts, qualifier, acceptsMoreWhenPaid] = policyRules[acceptedAmountPolicy];
  if (closed.includes(status)) return `The payment is ${status}; its account accepts no more money.`;
  if (!Number.isSafeInteger(chargedAmount + amount)) return 'The account cannot hold that much.';
  if (paid.includes(status)) {
    return acceptsMoreWhenPaid ? undefined : 'The payment is paid; its account accepts no more money.';
  }
  const missing = expectedAmount - chargedAmount;
  if (accepts(amount, missing)) return undefined;
  const currencyDisplay = 'narrowSymbol';
  const format = new Intl.NumberFormat('en-NG', { style: 'currency', currency, currencyDisplay });
  const inWords = (minor: number): string => format.format(toMajor(minor));
  return `The account accepts ${qualifier} ${inWords(missing)} now; ${inWords(amount)} was sent.`;
}
