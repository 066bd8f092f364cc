import type { JSX } from 'preact';
import {
  firstLeadOf,
  formatMoney,
  groupAccountNumber,
  missingAmount,
  plainAmount,
  titleOf,
} from '../model/index.ts';
import { CopyButton } from './copy-button.tsx';
import { Row } from './row.tsx';
import type { CopyField, TransferScreenProps } from './screen.ts';

/** Where to send the money, how much, and how long there is to do it. */
export function TransferScreen(screen: TransferScreenProps): JSX.Element {
  const { model, state, more, isMoreLate } = screen;
  const { text, locale } = model;
  const { account, amount } = state.payment;
  const missing = { ...amount, value: missingAmount(state.payment) };
  const isPart = state.name === 'partlyPaid';
  const isLate = isMoreLate || state.isOffline || state.connection !== 'ok';
  const row = (field: CopyField, shown: string, value: string, isCopied = true) => (
    <Row {...screen} field={field} shown={shown} spoken={field === 'accountNumber' ? value : ''}>
      {isCopied && <CopyButton {...screen} field={field} value={value} />}
    </Row>
  );

  return (
    <>
      <div class="top">
        <h2>
          {titleOf(state, model)}{' '}
          <small>{more ? more.leadsOf(state, model) : firstLeadOf(state, model)}</small>
        </h2>
      </div>
      <dl part="details">
        {row('accountNumber', groupAccountNumber(account.number), account.number)}
        <Row {...screen} field="bankName" shown={account.bankName} />
        <Row {...screen} field="accountName" shown={account.name} />
        {row('amount', formatMoney(amount, locale), plainAmount(amount), !isPart)}
        {isPart && row('missing', formatMoney(missing, locale), plainAmount(missing))}
      </dl>
      <div class="time">{more && <more.TimeLeft {...screen} />}</div>
      {more ? (
        <more.ConnectionLine {...screen} />
      ) : (
        <div class="status ok">
          <b>{text(isLate ? 'stillTrying' : 'waiting')}</b>
          <p>{!isLate && text('waitingLead')}</p>
        </div>
      )}
      <div class="actions">{more && <more.TransferActions {...screen} />}</div>
    </>
  );
}
