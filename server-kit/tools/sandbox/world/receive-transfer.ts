import { toIso } from '../clock/iso.ts';
import type { AccountRequest } from '../records/account-request.ts';
import { returnReason } from '../records/amount-policies.ts';
import type { SandboxDedicatedAccount } from '../records/dedicated-account.ts';
import { addFact, effectiveMs, paymentAt, type SandboxPayment } from '../records/payment.ts';
import { type ControlPayment, toControlPayment, toControlTransfer } from '../records/payment-views.ts';
import { type ControlTransfer, type Transfer, toTransfer } from '../records/transfer.ts';
import { createPayment } from './payments.ts';
import type { SandboxWorld } from './world.ts';

/** `payment` is `null` when a dedicated account has returned the money. */
export type TransferResult = { transfer: ControlTransfer; payment: ControlPayment | null };

/** Sends an amount in minor units to the account of a payment. */
export function payIntoPayment(
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
export function payIntoAccount(
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
