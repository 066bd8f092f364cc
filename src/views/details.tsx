import type { JSX } from 'preact';
import { formatMoney, groupAccountNumber, missingAmount, type PaymentView } from '../model/index.ts';
import { Row } from './row.tsx';
import type { Screen } from './screen.ts';

/** Where the money was sent to, and how much: still there to compare, at its place, and no longer what the page is about. */
export function Details(screen: Screen & { payment: PaymentView }): JSX.Element {
  const {
    speech: { locale },
    payment,
  } = screen;
  const { account, amount } = payment;
  const missing = missingAmount(payment);
  const value = missing || amount.value;
  return (
    <dl class="past" part="details">
      <Row
        {...screen}
        field="accountNumber"
        shown={groupAccountNumber(account.number)}
        spoken={account.number}
      />
      <Row {...screen} field="bankName" shown={account.bankName} />
      <Row {...screen} field="accountName" shown={account.name} />
      <Row
        {...screen}
        field={missing ? 'missing' : 'amount'}
        shown={formatMoney({ ...amount, value }, locale)}
      />
    </dl>
  );
}
