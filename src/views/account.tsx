import type { JSX } from 'preact';
import { formatMoney, groupAccountNumber, plainAmount } from '../model/index.ts';
import { CopyButton } from './copy-button.tsx';
import { Row } from './row.tsx';
import type { CopyField, TransferScreenProps } from './screen.ts';

/** Where to send the money, and how much: what is missing, where a part has arrived. */
export function Account(screen: TransferScreenProps): JSX.Element {
  const { speech, state, more } = screen;
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
      {isPart && more ? (
        <more.Missing {...screen} />
      ) : (
        row('amount', formatMoney(amount, speech.locale), plainAmount(amount), !isPart)
      )}
    </dl>
  );
}
