import type { ComponentChildren, JSX } from 'preact';
import {
  formatMoney,
  groupAccountNumber,
  isPayable,
  missingAmount,
  type PaymentView,
  payableView,
  paymentOf,
  plainAmount,
  receiptLines,
  referenceOf,
} from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { CopyButton } from './copy-button.tsx';
import { Row } from './row.tsx';

type AccountDetailsProps = {
  readonly account: PaymentView['account'];
  /** The account is shown for comparison, and not to be paid into any more. */
  readonly isPast?: boolean;
  /** Rows after the account's own. */
  readonly children: ComponentChildren;
};

/** The account's number, bank and name. */
export function AccountDetails({ account, isPast, children }: AccountDetailsProps): JSX.Element {
  const { number, bankName, name } = account;
  return (
    <dl class={isPast ? 'past' : undefined} part={isPast ? 'details' : undefined}>
      <Row field="accountNumber" shown={groupAccountNumber(number)} spoken={number}>
        {!isPast && <CopyButton field="accountNumber" value={number} />}
      </Row>
      <Row field="bankName" shown={bankName} />
      <Row field="accountName" shown={name} />
      {children}
    </dl>
  );
}

type PaymentDetailsProps = { readonly payment: PaymentView; readonly isPast?: boolean };

/** The account of a payment, and the amount: the missing part after a partial payment. */
export function PaymentDetails({ payment, isPast = false }: PaymentDetailsProps): JSX.Element {
  const { locale } = useCheckout().translator.value;
  const { amount } = payableView(payment);
  const field = missingAmount(payment) ? 'missing' : 'amount';
  return (
    <AccountDetails account={payment.account} isPast={isPast}>
      <Row field={field} shown={formatMoney(amount, locale)}>
        {!isPast && <CopyButton field={field} value={plainAmount(amount)} />}
      </Row>
    </AccountDetails>
  );
}

/** Lines that only a receipt needs, which leaves the page: the screen says them elsewhere. */
const receiptOnly: readonly string[] = ['orderTotal', 'excess', 'orderNumber', 'paidTo', 'reference'];

/** What was received, when and where. */
export function ReceiptDetails({ payment }: { payment: PaymentView }): JSX.Element {
  const lines = receiptLines(payment, useCheckout().translator.value);
  return (
    <dl class="receipt" part="receipt">
      {lines.map(
        ([field, shown]) =>
          !receiptOnly.includes(field) && (
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

/**
 * The payment's reference, at the bottom of every screen. It has no copy button beside an account to pay into: shoppers could take
 * it for the account number.
 */
export function ReferenceLine(): JSX.Element | null {
  const { translator, state } = useCheckout();
  const payment = paymentOf(state.value);
  if (!payment) return null;
  const reference = referenceOf(payment);
  return (
    <p class="foot" part="reference">
      <span>{translator.value.text('reference')}</span>{' '}
      <bdi data-field="reference" dir="ltr">
        {reference}
      </bdi>
      {!isPayable(state.value) && <CopyButton field="reference" value={reference} />}
    </p>
  );
}
