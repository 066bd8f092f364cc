import type { JSX } from 'preact';
import type { PaymentView } from '../../contract/index.ts';
import { formatMoney } from '../../i18n/format-money.ts';
import { missingAmount } from '../description/payment-facts.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

/** How much of the amount has arrived, and how much is left to pay: a bar, and figures. */
export function PaidSoFar({ payment }: { payment: PaymentView }): JSX.Element {
  const translator = useCheckout().translator.value;
  const { text } = translator;
  const { amount, chargedAmount } = payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, translator);
  return (
    <div class="paid" part="paid">
      <progress max={amount.value} value={chargedAmount} aria-label={text('received')} />
      <span>
        {text('received')} <bdi data-field="received">{format(chargedAmount)}</bdi>
      </span>
      <span>
        {text('missing')} <bdi>{format(missingAmount(payment))}</bdi>
      </span>
    </div>
  );
}
