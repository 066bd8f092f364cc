import type { ComponentChildren, JSX } from 'preact';
import {
  firstLeadOf,
  formatMoney,
  groupAccountNumber,
  missingAmount,
  plainAmount,
  titleOf,
} from '../model/index.ts';
import { CopyButton } from './copy-button.tsx';
import type { CopyField, TransferScreenProps } from './screen.ts';

/** Where to send the money, how much, and how long there is to do it. */
export function TransferScreen(screen: TransferScreenProps): JSX.Element {
  const { model, state, more, isMoreLate } = screen;
  const { text, locale } = model;
  const { account, amount } = state.payment;
  const missing = { ...amount, value: missingAmount(state.payment) };
  const isPart = state.name === 'partlyPaid';
  const isLate = isMoreLate || state.isOffline || state.connection !== 'ok';

  const row = (field: 'bankName' | 'accountName' | CopyField, shown: string, end?: ComponentChildren) =>
    shown && (
      <div class={`row ${field}`}>
        <dt>{text(field)}</dt>
        <dd>
          {/* Read digit by digit, which no screen reader does by itself. */}
          {field === 'accountNumber' && <span class="spoken">{account.number.split('').join(' ')}</span>}
          <bdi data-field={field} aria-hidden={field === 'accountNumber'}>
            {shown}
          </bdi>
          {end}
        </dd>
      </div>
    );
  const copy = (field: CopyField, value: string) => <CopyButton {...screen} field={field} value={value} />;

  return (
    <>
      <h2>
        {titleOf(state, model)} <small>{more ? more.leadsOf(state, model) : firstLeadOf(state, model)}</small>
      </h2>
      <dl>
        {row('accountNumber', groupAccountNumber(account.number), copy('accountNumber', account.number))}
        {row('bankName', account.bankName)}
        {row('accountName', account.name)}
        {row('amount', formatMoney(amount, locale), !isPart && copy('amount', plainAmount(amount)))}
        {isPart && row('missing', formatMoney(missing, locale), copy('missing', plainAmount(missing)))}
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
