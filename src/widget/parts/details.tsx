import type { ComponentChildren, JSX } from 'preact';
import { type PaymentView, toMajorUnits } from '../../contract/index.ts';
import { knownReference, type PaymentState } from '../../core/state.ts';
import { formatMoney, groupAccountNumber } from '../../i18n/format-money.ts';
import { formatDateTime } from '../../i18n/format-time.ts';
import { spokenBy } from '../../i18n/translator.ts';
import { useCheckout } from '../context.tsx';
import { isPayable, missingAmount, payableView } from '../description/payment-facts.ts';
import { receiptLines } from '../description/plain-text.ts';
import { Row, Value } from './row.tsx';
import { Text } from './text.tsx';

const toDigits = (number: string): string => number.split('').join(' ');

type AccountDetailsProps = {
  readonly account: PaymentView['account'];
  /** The account is shown only to be compared with the bank's app. */
  readonly isPast?: boolean;
  /** Nobody should pay into the account any more. */
  readonly isClosed?: boolean;
  readonly children: ComponentChildren;
};

function AccountDetails({
  account: { number, bankName, name },
  isClosed,
  isPast = isClosed,
  children,
}: AccountDetailsProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const shown = groupAccountNumber(number);
  return (
    <dl class={isPast ? 'past' : undefined} part={isPast ? 'details' : undefined}>
      <Row
        field="accountNumber"
        isPanel
        shown={shown}
        spoken={toDigits(number)}
        isGrouped={shown !== number}
        isClosed={isClosed}
        copyValue={isPast ? undefined : number}
      />
      <Row field="bankName" shown={bankName} isClosed={isClosed} />
      <Row
        field="accountName"
        shown={name}
        isClosed={isClosed}
        note={isClosed ? undefined : text('nameCheck')}
      />
      {children}
    </dl>
  );
}

type PaymentDetailsProps = Pick<AccountDetailsProps, 'isPast'> & { readonly payment: PaymentView };

export function PaymentDetails({ payment, isPast = false }: PaymentDetailsProps): JSX.Element {
  const translator = useCheckout().translator.value;
  const { amount } = payableView(payment);
  const field = missingAmount(payment) ? 'missing' : 'amount';
  return (
    <AccountDetails account={payment.account} isPast={isPast}>
      <Row
        field={field}
        shown={formatMoney(amount, translator)}
        spoken={formatMoney(amount, spokenBy(translator))}
        copyValue={isPast ? undefined : toMajorUnits(amount)}
      />
    </AccountDetails>
  );
}

/** The account and the amount of an ended payment, to compare with the bank's app; its date once no money is expected. */
export function ClosedDetails({ state: { name, payment } }: { state: PaymentState }): JSX.Element {
  const translator = useCheckout().translator.value;
  const { account, amount, openedAt, paidAt } = payment;
  const isExpired = name === 'expired';
  return (
    <AccountDetails account={account} isClosed>
      <Row field="amount" shown={formatMoney(amount, translator)} isClosed={isExpired} />
      {!isExpired && (
        <Row field={paidAt ? 'paidAt' : 'openedAt'} shown={formatDateTime(paidAt ?? openedAt, translator)} />
      )}
    </AccountDetails>
  );
}

type ReceiptDetailsProps = {
  readonly payment: PaymentView;
  /** The screen has no line of its own for the reference. */
  readonly hasReference: boolean;
};

/** What was received, when and where. Styles leave the lines that only a printed receipt needs to paper. */
export function ReceiptDetails({ payment, hasReference }: ReceiptDetailsProps): JSX.Element {
  const lines = receiptLines(payment, useCheckout().translator.value);
  return (
    <dl part="receipt">
      {lines.map(
        ([field, shown]) =>
          (hasReference || field !== 'reference') && (
            <Row
              key={field}
              field={field}
              shown={shown}
              spoken={field === 'accountNumber' ? toDigits(payment.account.number) : undefined}
              isGrouped={field === 'accountNumber'}
              copyValue={field === 'reference' ? shown : undefined}
            />
          ),
      )}
    </dl>
  );
}

/** The payment's reference. Beside an account it has no copy button: shoppers could take it for the account number. */
export function ReferenceLine({ canCopy }: { readonly canCopy?: boolean }): JSX.Element | null {
  const { state, translator } = useCheckout();
  const reference = knownReference(state.value);
  if (!reference) return null;
  return (
    <p class="foot" part="reference">
      <Text>{translator.value.text('reference')}</Text>{' '}
      <Value
        field="reference"
        dir="ltr"
        copyValue={(canCopy ?? !isPayable(state.value)) ? reference : undefined}
      >
        <Text>{reference}</Text>
      </Value>
    </p>
  );
}
