import { type OpenPaymentRequest, openPayment } from '../../../server-kit/core/index.ts';
import type { Account, Money } from '../../../src/contract/index.ts';
import { createWiredShop } from '../kit/wired-shop.ts';

export const request = {
  reference: 'order_1',
  amount: { value: 1_250_000, currency: 'NGN' },
  expiresIn: 1800,
} as const satisfies OpenPaymentRequest;

/** A platform's server: the client of a shop without its checkout. */
export function createPlatform() {
  const { clock, client, wire, sandbox } = createWiredShop();
  const open = (change: Partial<OpenPaymentRequest> = {}) => openPayment(client, { ...request, ...change });
  const { control } = sandbox;
  const pay = ({ account, amount }: { account: Account; amount: Money }, value = amount.value) =>
    control.transfer({ accountNumber: account.number, amount: value });
  return { clock, client, calls: wire.calls, wire, open, pay, control };
}
