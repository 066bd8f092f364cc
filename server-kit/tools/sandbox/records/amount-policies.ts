import type { PaymentStatus } from '../../../../src/contract/index.ts';
import { toWireAmount } from '../../../client/api/amount-unit.ts';
import type { AcceptedAmountPolicy } from '../../../client/api/payment.ts';
import type { PaymentState, SandboxPayment } from './payment.ts';

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
export function returnReason(
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
