import type { JSX } from 'preact';
import {
  formatMoney,
  groupAccountNumber,
  missingAmount,
  type PayableState,
  type PaymentView,
  payableView,
  plainAmount,
  receiptLines,
} from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { CopyButton } from './copy-button.tsx';
import { Row } from './row.tsx';

/** Where to send the money, and how much: what is missing, where a part has arrived. */
export function AccountToPay({ state: { name, payment } }: { state: PayableState }): JSX.Element {
  const { locale } = useCheckout().translator.value;
  const { account } = payment;
  const { amount } = payableView(payment);
  const field = name === 'partlyPaid' ? 'missing' : 'amount';
  return (
    <dl>
      <Row field="accountNumber" shown={groupAccountNumber(account.number)} spoken={account.number}>
        <CopyButton field="accountNumber" value={account.number} />
      </Row>
      <Row field="bankName" shown={account.bankName} />
      <Row field="accountName" shown={account.name} />
      <Row field={field} shown={formatMoney(amount, locale)}>
        <CopyButton field={field} value={plainAmount(amount)} />
      </Row>
    </dl>
  );
}

/** Where the money was sent to, and how much: still there to compare, at its place, and no longer what the page is about. */
export function PastDetails({ payment }: { payment: PaymentView }): JSX.Element {
  const { locale } = useCheckout().translator.value;
  const { account } = payment;
  return (
    <dl class="past" part="details">
      <Row field="accountNumber" shown={groupAccountNumber(account.number)} spoken={account.number} />
      <Row field="bankName" shown={account.bankName} />
      <Row field="accountName" shown={account.name} />
      <Row
        field={missingAmount(payment) ? 'missing' : 'amount'}
        shown={formatMoney(payableView(payment).amount, locale)}
      />
    </dl>
  );
}

/** What has arrived, when and where: what a shopper keeps. The reference stands at the foot of every screen. */
export function ReceiptDetails({ payment }: { payment: PaymentView }): JSX.Element {
  const lines = receiptLines(payment, useCheckout().translator.value);
  return (
    <dl class="receipt" part="receipt">
      {lines.map(
        ([field, shown]) =>
          field !== 'reference' && (
            <Row
              key={field}
              field={field}
              shown={shown}
              spoken={field === 'accountNumber' ? payment.account.number : ''}
            />
          ),
      )}
    </dl>
  );
}
