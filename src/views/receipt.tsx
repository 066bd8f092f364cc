import type { JSX } from 'preact';
import { formatMoney, groupAccountNumber, type PaymentView } from '../model/index.ts';
import { formatMoment } from '../model/more.ts';
import { Row } from './row.tsx';
import type { Screen } from './screen.ts';

/** What has arrived, when and where: what a shopper keeps. The reference stands at the foot of every screen. */
export function Receipt(screen: Screen & { payment: PaymentView }): JSX.Element {
  const {
    model: { locale },
    payment: { account, amount, chargedAmount, paidAt },
  } = screen;
  const received = { ...amount, value: chargedAmount || amount.value };
  return (
    <dl class="receipt" part="receipt">
      <Row {...screen} field="received" shown={formatMoney(received, locale)} />
      <Row {...screen} field="paidAt" shown={paidAt ? formatMoment(paidAt, locale) : ''} />
      <Row {...screen} field="bankName" shown={account.bankName} />
      <Row
        {...screen}
        field="accountNumber"
        shown={groupAccountNumber(account.number)}
        spoken={account.number}
      />
    </dl>
  );
}
