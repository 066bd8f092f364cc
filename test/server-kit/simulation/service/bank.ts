import type { AcceptedAmountPolicy } from '../../../../server-kit/api/payment.ts';
import { type ControlPayment, type Sandbox, SandboxError } from '../../../../server-kit/sandbox/index.ts';
import type { World } from '../world/settings.ts';

/** What has really become of a payment that somebody did something about. Moments in milliseconds since the epoch. */
export type Truth = {
  reference: string;
  /** What the service expects, in minor units. */
  expected: number;
  charged: number;
  firstMoneyAtMs: number;
  lastMoneyAtMs: number;
  /** When the service calls it succeeded; it may lie ahead. */
  succeededAtMs: number | undefined;
  failedAtMs: number | undefined;
  reversedAtMs: number | undefined;
};

/** Moves money, and remembers what is true of each payment, apart from what the merchant's server thinks of it. */
export type Bank = {
  /** Gives false where the account does not take the money. */
  pay: (accountNumber: string, amount: number) => boolean;
  /** A shopper opens the page of a link: gives its payment; `undefined` where it is over. */
  openLink: (url: string) => ControlPayment | undefined;
  setPolicy: (reference: string, policy: AcceptedAmountPolicy) => void;
  /** The service gives the payment up, where it still can. */
  fail: (reference: string) => void;
  /** The service takes the money back, where it has come. */
  reverse: (reference: string) => boolean;
  truthOf: (reference: string) => Truth | undefined;
  /** When the account, or the page of the link, really ends; `undefined` for an unknown reference. */
  endsAtMs: (reference: string) => number | undefined;
};

export function createBank(world: World, sandbox: Sandbox): Bank {
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
  const known = (reference: string): Truth => {
    const truth = truths.get(reference) ?? {
      ...{ reference, expected: 0, charged: 0, firstMoneyAtMs: 0, lastMoneyAtMs: 0 },
      ...{ succeededAtMs: undefined, failedAtMs: undefined, reversedAtMs: undefined },
    };
    truths.set(reference, truth);
    return truth;
  };

  return {
    truthOf: (reference) => truths.get(reference),
    endsAtMs(reference) {
      const { listPayments, listCheckoutLinks } = sandbox.control;
      const known = [...listPayments(), ...listCheckoutLinks()].find((one) => one.reference === reference);
      return known && Date.parse(known.expiresAt ?? '');
    },
    pay(accountNumber, amount) {
      const { transfer, payment } = sandbox.control.transfer({ accountNumber, amount });
      if (transfer.status === 'returned' || payment === null) {
        count('transfers returned');
        return false;
      }
      count('transfers taken');
      const truth = known(payment.reference);
      truth.expected = payment.amount.value;
      truth.charged = payment.chargedAmount;
      truth.lastMoneyAtMs = clock.now();
      truth.firstMoneyAtMs ||= clock.now();
      if (payment.status === 'charged' || payment.status === 'succeeded')
        truth.succeededAtMs ??= clock.now() + times.confirmationSeconds * 1000;
      note(payment.reference, () => `the account took ${amount}; the service says ${payment.status}`);
      return true;
    },
    openLink(url) {
      try {
        const payment = sandbox.control.openCheckoutLink(url.split('/').at(-1) ?? '');
        note(payment.reference, () => `the shopper opens the link; its payment is ${payment.status}`);
        count('links opened');
        return payment;
      } catch (error) {
        if (!(error instanceof SandboxError && error.code === 'checkout_link_expired')) throw error;
        count('links opened too late');
        return undefined;
      }
    },
    setPolicy: (reference, acceptedAmountPolicy) => void change(reference, { acceptedAmountPolicy }),
    fail(reference) {
      if (!change(reference, { status: 'failed' })) return;
      const truth = known(reference);
      truth.failedAtMs = clock.now();
      if ((truth.succeededAtMs ?? 0) > clock.now()) truth.succeededAtMs = undefined;
      note(reference, () => 'the service gave the payment up');
      count('payments given up by the service');
    },
    reverse(reference) {
      if (!change(reference, { status: 'reversed' })) return false;
      known(reference).reversedAtMs = clock.now();
      note(reference, () => 'the service took the money back');
      count('payments reversed by the service');
      return true;
    },
  };
}
