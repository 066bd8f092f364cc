import type { ControlPayment } from 'transfer-checkout/sandbox';

/** An amount to send, in minor units. */
type AmountChoice = { name: 'exactly' | 'less' | 'more' | 'again'; label: string; value: number };

/** The difference that a shopper could plausibly get wrong: 1,000.00. */
const slip = 100_000;

/** Returns what is left to pay, in minor units: 0 once the payment is paid or closed. */
export const missingAmount = ({ nextStatuses, amount, chargedAmount }: ControlPayment): number =>
  nextStatuses.includes('charged') ? Math.max(0, amount.value - chargedAmount) : 0;

/** Returns the amounts to choose from. More money once nothing is missing is a mistake, which must be possible, too. */
export function amountChoices(full: number, missing: number): readonly AmountChoice[] {
  if (missing === 0) return [{ name: 'again', label: 'Again', value: full }];
  const less = missing > slip ? missing - slip : Math.floor(missing / 2);
  const choices: AmountChoice[] = [
    { name: 'exactly', label: 'Exactly', value: missing },
    { name: 'less', label: 'Less', value: less },
    { name: 'more', label: 'More', value: missing + slip },
  ];
  return choices.filter(({ value }) => value > 0);
}
