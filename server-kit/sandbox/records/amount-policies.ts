import type { PaymentStatus } from '../../../src/contract/index.ts';
import { toWireAmount } from '../../api/amount-unit.ts';
import type { AcceptedAmountPolicy } from '../../api/payment.ts';
import type { PaymentState, SandboxPayment } from './payment.ts';

type PolicyRule = {
  /** Whether an open payment, of which `missing` is still to come, takes this amount. */
  takes: (amount: number, missing: number) => boolean;
  /** Whether a paid one takes more. */
  takesMoreWhenPaid: boolean;
  /** What it takes, for the reason of a return. */
  says: string;
};

/** Which money a payment takes, by its policy (interface, section 2.5; what each means is our choice). */
const policyRules: Readonly<Record<AcceptedAmountPolicy, PolicyRule>> = {
  ACCEPTED_AMOUNT_POLICY_FIXED: {
    takes: (amount, missing) => amount === missing,
    takesMoreWhenPaid: false,
    says: 'exactly',
  },
  ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL: {
    takes: (amount, missing) => amount <= missing,
    takesMoreWhenPaid: false,
    says: 'at most',
  },
  ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS: {
    takes: (amount, missing) => amount >= missing,
    takesMoreWhenPaid: true,
    says: 'at least',
  },
  ACCEPTED_AMOUNT_POLICY_ALLOW_ANY: { takes: () => true, takesMoreWhenPaid: true, says: 'any amount near' },
};

/** An expired payment is open: money that lands late is not lost. */
const standings: Readonly<Record<PaymentStatus, 'open' | 'paid' | 'closed'>> = {
  initiated: 'open',
  awaiting_charge: 'open',
  expired: 'open',
  charged: 'paid',
  succeeded: 'paid',
  failed: 'closed',
  reversed: 'closed',
};

/**
 * Why the bank returns this money, or `undefined` when it takes it. Amounts in minor units.
 */
export function returnReason(
  state: PaymentState,
  { expectedAmount, currency }: Pick<SandboxPayment, 'expectedAmount' | 'currency'>,
  amount: number,
): string | undefined {
  const rule = policyRules[state.acceptedAmountPolicy];
  const standing = standings[state.status];
  if (standing === 'closed') return `The payment is ${state.status}; its account takes no more money.`;
  if (!Number.isSafeInteger(state.chargedAmount + amount)) return 'The account cannot hold that much.';
  if (standing === 'paid') {
    return rule.takesMoreWhenPaid ? undefined : 'The payment is paid; its account takes no more money.';
  }
  const missing = expectedAmount - state.chargedAmount;
  if (rule.takes(amount, missing)) return undefined;
  const inWords = (minor: number): string => `${currency} ${toWireAmount(minor, 'major').toFixed(2)}`;
  return `The account takes ${rule.says} ${inWords(missing)} now; ${inWords(amount)} came.`;
}
