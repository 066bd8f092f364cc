import type { JSX } from 'preact';
import { formatMoney, groupAccountNumber, plainAmount } from '../model/index.ts';
import { CopyButton } from './copy-button.tsx';
import { Row } from './row.tsx';
import type { CopyField, TransferScreenProps } from './screen.ts';

/** Where to send the money, and how much. Where a part has arrived, what is missing is a row of its own. */
export function Account(screen: TransferScreenProps): JSX.Element {
  const { model, state, more } = screen;
  const { account, amount } = state.payment;
  const isPart = state.name === 'partlyPaid';
  const row = (field: CopyField, shown: string, value: string, isCopied = true) => (
    <Row {...screen} field={field} shown={shown} spoken={field === 'accountNumber' ? value : ''}>
      {isCopied && <CopyButton {...screen} field={field} value={value} />}
    </Row>
  );

  return (
    <dl>
      {row('accountNumber', groupAccountNumber(account.number), account.number)}
      <Row {...screen} field="bankName" shown={account.bankName} />
      <Row {...screen} field="accountName" shown={account.name} />
      {row('amount', formatMoney(amount, model.locale), plainAmount(amount), !isPart)}
      {isPart && more && <more.Missing {...screen} />}
    </dl>
  );
}
