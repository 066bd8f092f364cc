import type { ControlPayment } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../format/money.ts';
import { describeTransfer } from '../../../format/records.ts';
import { AmountForm } from '../../forms/amount-form.tsx';
import { Form } from '../../forms/form.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { PanelModel, Result } from '../../model/panel-model.ts';
import { ActionButton } from '../../parts/action-button.tsx';

/** The amount still to be paid, in minor units. */
export const remainingOf = ({ amount, chargedAmount }: ControlPayment): number =>
  amount.value - chargedAmount;

/** Returns a function that sends money, in minor units, and reports the result. */
export function useTransfer(): (accountNumber: string, amount: number) => Promise<Result> {
  const { act, calls }: PanelModel = usePanel();
  return (accountNumber, amount) =>
    act(async () => {
      const { transfer, payment } = await calls.transfer({ accountNumber, amount });
      const text = describeTransfer(transfer, payment);
      return { text, tone: transfer.status === 'returned' ? 'problem' : 'done' };
    });
}

/** Suggested amounts, based on what is still to be paid, or on the full amount once nothing is. */
function amountsFor(payment: ControlPayment): readonly { action: string; text: string; amount: number }[] {
  const missing = remainingOf(payment);
  const exact = missing > 0 ? missing : payment.amount.value;
  return [
    { action: 'send-again', text: missing > 0 ? 'Exactly' : 'Again', amount: exact },
    { action: 'send-less', text: 'Less', amount: Math.max(1, Math.floor(exact / 2)) },
    { action: 'send-more', text: 'More', amount: exact + Math.max(1, Math.floor(exact / 10)) },
  ];
}

/** Buttons that send money to a payment's account. */
export function SendMoney({ payment }: { payment: ControlPayment }) {
  const transfer = useTransfer();
  const { accountNumber, amount } = payment;
  const { currency } = amount;
  return (
    <section class="part">
      <h3>Send money</h3>
      <div class="buttons">
        {amountsFor(payment).map(({ action, text, amount: value }) => (
          <ActionButton key={action} action={action} run={() => transfer(accountNumber, value)}>
            {text} <span class="quiet">{formatMoney({ value, currency })}</span>
          </ActionButton>
        ))}
      </div>
      <SendAmount label="Another amount" accountNumber={accountNumber} currency={currency} />
    </section>
  );
}

type SendAmountProps = { label: string; accountNumber: string; currency: string };

/** Sends a typed amount to an account. */
export function SendAmount({ label, accountNumber, currency }: SendAmountProps) {
  const transfer = useTransfer();
  return (
    <AmountForm
      name="send-custom"
      label={label}
      currency={currency}
      submit="Send"
      run={(amount) => transfer(accountNumber, amount)}
    />
  );
}

/** Sends money to a typed account number, which may be wrong. */
export function SendToAnyAccount() {
  const transfer = useTransfer();
  return (
    <Form
      name="send-anywhere"
      isInline
      fields={[
        { name: 'accountNumber', label: 'Account number', kind: 'account', isRequired: true },
        { name: 'amount', label: 'Amount', kind: 'money', currency: 'NGN', isRequired: true },
      ]}
      submit="Send money"
      run={({ accountNumber, amount }) => transfer(String(accountNumber), Number(amount))}
    />
  );
}
