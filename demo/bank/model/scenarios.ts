import type { ControlPayment } from 'transfer-checkout/sandbox';
import { amountChoices, missingAmount } from '../../../server-kit/tools/sandbox/pages/format/amounts.ts';

/** What a shopper may do, right or wrong: one tap each. */
export const scenarioNames = ['exactly', 'less', 'more', 'late', 'twice', 'returned'] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export type Scenario = {
  /** The transfers, in minor units. */
  amounts: readonly number[];
  /** The policy that accepts them, if the account has another. */
  acceptedAmountPolicy?: string;
  /** The time runs out first. */
  isLate?: boolean;
  /** The bank takes the money back once it is confirmed. */
  isReturned?: boolean;
};

/** Returns the scenarios that are possible for an account now. */
export function scenariosFor(account: ControlPayment): Readonly<Partial<Record<ScenarioName, Scenario>>> {
  if (account.status === 'failed' || account.status === 'reversed') return {};
  const price = account.amount.value;
  const missing = missingAmount(account);
  const acceptsMore = { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS' };
  if (missing === 0)
    return { twice: { amounts: [price], ...acceptsMore }, returned: { amounts: [], isReturned: true } };
  const choices = amountChoices(price, missing);
  const amountsOf = (wanted: 'less' | 'more'): number[] =>
    choices.flatMap(({ name, value }) => (name === wanted ? value : []));
  const less = amountsOf('less');
  return {
    exactly: { amounts: [missing] },
    // A single kobo has no part.
    ...(less.length > 0 && {
      less: { amounts: less, acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' },
    }),
    more: { amounts: amountsOf('more'), ...acceptsMore },
    late: { amounts: [missing], isLate: true },
    twice: { amounts: [missing, price], ...acceptsMore },
    returned: { amounts: [missing], isReturned: true },
  };
}
