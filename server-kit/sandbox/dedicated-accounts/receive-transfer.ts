import { toIso } from '../iso.ts';
import { newPayment } from '../payments/new-payment.ts';
import { addFact, type SandboxPayment, type Transfer } from '../payments/payment.ts';
import type { ControlTransfer } from '../payments/views.ts';
import type { SandboxWorld } from '../world.ts';
import { requestOf, type SandboxDedicatedAccount } from './dedicated-account.ts';

export type ReceivedTransfer = { transfer: ControlTransfer; payment: SandboxPayment | undefined };

/**
 * Money, in minor units, that comes to a dedicated account. An active one takes any amount, whatever its policy says,
 * because no other is expected: it becomes a payment of its own. All else is returned.
 */
export function receiveTransfer(
  world: SandboxWorld,
  account: SandboxDedicatedAccount,
  amount: number,
): ReceivedTransfer {
  const { clock, mint, state } = world;
  const id = mint.id('trf');
  const { status, accountNumber } = account;
  const made: Transfer =
    status === 'active'
      ? { id, amount, status: 'accepted' }
      : { id, amount, status: 'returned', reason: `The account is ${status}; it takes no more money.` };
  const transfer = { ...made, accountNumber, createdAt: toIso(clock.now()) };
  const request = requestOf(world, account);
  state.accountRequests.put({ ...request, transfers: [...request.transfers, transfer] });
  if (made.status === 'returned') return { transfer, payment: undefined };
  return { transfer, payment: world.payments.put(chargedPayment(world, account, made)) };
}

function chargedPayment(
  world: SandboxWorld,
  account: SandboxDedicatedAccount,
  transfer: Transfer,
): SandboxPayment {
  const { email, callbackUrl } = requestOf(world, account);
  const { accountName: name, accountNumber, bankName, customerId, currency, acceptedAmountPolicy } = account;
  const payment = newPayment(world, {
    reference: world.mint.id('ref'),
    paymentMethod: 'dedicated_virtual_account',
    paymentChannel: 'bank_account',
    account: { number: accountNumber, name, bankName },
    expectedAmount: transfer.amount,
    currency,
    customer: { id: customerId, name, email },
    callbackUrl,
    metadata: {},
  });
  const atMs = payment.createdAtMs;
  const withPolicy = addFact(payment, { kind: 'policy', atMs, acceptedAmountPolicy });
  return addFact(withPolicy, { kind: 'transfer', atMs, transfer });
}
