import type { JSX } from 'preact';
import type { PaymentView } from '../model/index.ts';
import { receiptLines } from '../model/more.ts';
import { Row } from './row.tsx';
import type { Screen } from './screen.ts';

/** What has arrived, when and where: what a shopper keeps. The reference stands at the foot of every screen. */
export function Receipt(screen: Screen & { payment: PaymentView }): JSX.Element {
  const { speech, payment } = screen;
  return (
    <dl class="receipt" part="receipt">
      {receiptLines(payment, speech).map(
        ([field, shown]) =>
          field !== 'reference' && (
            <Row
              key={field}
              {...screen}
              field={field}
              shown={shown}
              spoken={field === 'accountNumber' ? payment.account.number : ''}
            />
          ),
      )}
    </dl>
  );
}
