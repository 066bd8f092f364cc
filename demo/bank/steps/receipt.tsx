import { useEffect, useRef } from 'preact/hooks';
import type { ControlPayment, ControlTransfer } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../server-kit/tools/sandbox/pages/format/money.ts';
import { formatAccountNumber } from '../../../server-kit/tools/sandbox/pages/format/text.ts';
import type { Bank } from '../model/bank-model.ts';

export type ReceiptStepProps = { bank: Bank; account: ControlPayment; transfer: ControlTransfer };

/** Shows whether the bank has sent the money or returned it, and why. */
export function ReceiptStep({ bank, account, transfer }: ReceiptStepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const isAccepted = transfer.status === 'accepted';
  const isBack = bank.requested.value?.status === 'reversed';
  const sum = formatMoney({ value: transfer.amount, currency: transfer.currency });
  return (
    <div class="bank-step bank-receipt" data-step="receipt" data-result={transfer.status}>
      <h3 ref={heading} tabIndex={-1}>
        {isAccepted && !isBack ? 'Money sent' : 'Money returned'}
      </h3>
      <p class="bank-sum">{sum}</p>
      <p class="bank-hint">
        To {account.accountName}, {formatAccountNumber(transfer.accountNumber)}
      </p>
      <p data-part="result">
        {isBack
          ? `${sum} came back to you.`
          : isAccepted
            ? 'Watch the checkout: it finds the money in seconds.'
            : transfer.reason}
      </p>
      {bank.problem.value && <p class="bank-problem">{bank.problem.value}</p>}
      <button type="button" class="bank-plain" data-action="back" onClick={bank.startAgain}>
        {isAccepted ? 'Send more money' : 'Try again'}
      </button>
    </div>
  );
}
