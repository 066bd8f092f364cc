import type { ControlPayment } from 'transfer-checkout/sandbox';

/** An amount that the bank app offers, in minor units. */
export type AmountChoice = { name: 'exactly' | 'less' | 'more' | 'again'; value: number };

/** The difference that a shopper could plausibly get wrong: 1,000.00. */
const slip = 100_000;

/** Returns what is left to pay, in minor units: 0 once the payment is paid or closed. */
export function missingAmount({ status, amount, chargedAmount }: ControlPayment): number {
  const isOpen = ['initiated', 'awaiting_charge', 'expired'].includes(status);
  return isOpen ? Math.max(0, amount.value - chargedAmount) : 0;
}

/** Returns the amounts to choose from. More money for a paid account is a mistake, which must be possible, too. */
export function amountChoices(account: ControlPayment): readonly AmountChoice[] {
  const missing = missingAmount(account);
  if (missing === 0) return [{ name: 'again', value: account.amount.value }];
  const less = missing > slip ? missing - slip : Math.floor(missing / 2);
  const choices: AmountChoice[] = [
    { name: 'exactly', value: missing },
    { name: 'less', value: less },
    { name: 'more', value: missing + slip },
  ];
  return choices.filter(({ value }) => value > 0);
}
