import type { AcceptedAmountPolicy } from '../../../../server-kit/service/fields.ts';
import { type Sandbox, SandboxError } from '../../../../server-kit/tools/sandbox/index.ts';
import type { World } from '../world/world.ts';

/** The true state of a payment. Amounts are in minor units, times in milliseconds since the epoch. */
export type Truth = {
  charged: number;
  firstMoneyAtMs: number;
  lastMoneyAtMs: number;
  /** When the payment becomes `succeeded` at the service; may be in the future. */
  succeededAtMs?: number | undefined;
  failedAtMs?: number;
  reversedAtMs?: number;
};

export type Bank = ReturnType<typeof createBank>;

/** Creates what moves money, and keeps the true state of each payment, independently of what the merchant's server has recorded. */
export function createBank(world: World, sandbox: Sandbox) {
  const { clock, count, times, note } = world;
  const truths = new Map<string, Truth>();

  const change = (reference: string, input: Parameters<Sandbox['control']['updatePayment']>[1]): boolean => {
    try {
      sandbox.control.updatePayment(reference, input);
      return true;
    } catch (error) {
      if (error instanceof SandboxError && error.code === 'transition_not_allowed') return false;
      throw error;
    }
  };
  const truthFor = (reference: string): Truth => {
    const truth = truths.get(reference) ?? { charged: 0, firstMoneyAtMs: 0, lastMoneyAtMs: 0 };
    truths.set(reference, truth);
    return truth;
  };

  return {
    /** The true state of a payment; undefined if no money or failure has affected it. */
    truthOf: (reference: string) => truths.get(reference),
    /** When the account or link really expires; undefined for an unknown reference. */
    endsAtMs(reference: string): number | undefined {
      const { listPayments, listCheckoutLinks } = sandbox.control;
      const found = [...listPayments(), ...listCheckoutLinks()].find((one) => one.reference === reference);
      return found && Date.parse(found.expiresAt ?? '');
    },
    pay(accountNumber: string, amount: number): boolean {
      const { transfer, payment } = sandbox.control.transfer({ accountNumber, amount });
      if (transfer.status === 'returned' || payment === null) {
        count('transfers returned');
        return false;
      }
      count('transfers accepted');
      const truth = truthFor(payment.reference);
      truth.charged = payment.chargedAmount;
      truth.lastMoneyAtMs = clock.now();
      truth.firstMoneyAtMs ||= clock.now();
      if (payment.status === 'charged' || payment.status === 'succeeded')
        truth.succeededAtMs ??= clock.now() + times.confirmationSeconds * 1000;
      note(payment.reference, () => `the account received ${amount}; its status is ${payment.status}`);
      return true;
    },
    openLink(url: string) {
      try {
        const payment = sandbox.control.openCheckoutLink(url.split('/').at(-1) ?? '');
        note(payment.reference, () => `a shopper opens the link; its status is ${payment.status}`);
        count('links opened');
        return payment;
      } catch (error) {
        if (!(error instanceof SandboxError && error.code === 'checkout_link_expired')) throw error;
        count('links opened too late');
        return undefined;
      }
    },
    setPolicy: (reference: string, acceptedAmountPolicy: AcceptedAmountPolicy) =>
      void change(reference, { acceptedAmountPolicy }),
    fail(reference: string): void {
      if (!change(reference, { status: 'failed' })) return;
      const truth = truthFor(reference);
      truth.failedAtMs = clock.now();
      if ((truth.succeededAtMs ?? 0) > clock.now()) truth.succeededAtMs = undefined;
      note(reference, () => 'the payment fails at the service');
      count('payments failed by the service');
    },
    reverse(reference: string): void {
      if (!change(reference, { status: 'reversed' })) return;
      truthFor(reference).reversedAtMs = clock.now();
      note(reference, () => 'the service reverses the payment');
      count('payments reversed by the service');
    },
  };
}
