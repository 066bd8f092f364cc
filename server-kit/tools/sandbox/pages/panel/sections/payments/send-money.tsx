import { describeTransfer } from '../../../format/records.ts';
import { Form } from '../../forms/form.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';

/** Returns a function that sends money, in minor units, and reports the result. */
export function useTransfer(): (accountNumber: string, amount: number) => Promise<Result> {
  const { act, calls } = usePanel();
  return (accountNumber, amount) =>
    act(
      () => calls.transfer({ accountNumber, amount }),
      ({ transfer, payment }) => ({
        text: describeTransfer(transfer, payment),
        tone: transfer.status === 'returned' ? 'problem' : 'done',
      }),
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
