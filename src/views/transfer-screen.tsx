import type { ComponentChildren, JSX } from 'preact';
import {
  formatCountdown,
  formatMoney,
  groupAccountNumber,
  missingAmount,
  plainAmount,
  wordsOf,
} from '../model/index.ts';
import { ConnectionLine } from './connection-line.tsx';
import { CopyButton } from './copy-button.tsx';
import type { CopyField, TransferScreenProps } from './screen.ts';

/** Where to send the money, how much, and how long there is to do it. */
export function TransferScreen(screen: TransferScreenProps): JSX.Element {
  const { state, remainingMs, copied, more, setCopied } = screen;
  const { text } = screen.model;
  const { account, amount, openedAt, expiresAt } = state.payment;
  const { title, leads } = wordsOf(state, text);
  const missing = { ...amount, value: missingAmount(state.payment) };
  const isPart = missing.value > 0;
  const totalMs = Date.parse(expiresAt) - Date.parse(openedAt);
  const partLeft = totalMs > 0 ? Math.min(1, (remainingMs ?? totalMs) / totalMs) : 1;

  const row = (field: 'bankName' | 'accountName' | CopyField, shown: string, end?: ComponentChildren) => (
    <div class={`row ${field}`}>
      <dt>{text(field)}</dt>
      <dd>
        <span data-field={field}>{shown}</span>
        {end}
      </dd>
    </div>
  );
  const copy = (field: CopyField, value: string) => (
    <CopyButton {...{ text, field, value, copied, setCopied, more }} />
  );

  return (
    <>
      <h2>
        {title} <small>{leads}</small>
      </h2>
      <dl>
        {row('accountNumber', groupAccountNumber(account.number), copy('accountNumber', account.number))}
        {row('bankName', account.bankName)}
        {row('accountName', account.name)}
        {row('amount', formatMoney(amount), !isPart && copy('amount', plainAmount(amount)))}
        {isPart && row('missing', formatMoney(missing), copy('missing', plainAmount(missing)))}
      </dl>
      {/* As high while the service's clock is not known. A timer is not announced. */}
      <div class="time">
        <span>{text('timeLeft')}</span>
        <b role="timer" data-field="countdown">
          {remainingMs !== undefined && formatCountdown(remainingMs)}
        </b>
        <i class="bar">
          <i style={{ transform: `scaleX(${partLeft})` }} />
        </i>
      </div>
      <ConnectionLine {...screen} connection={state.connection} />
      <div class="qr">{more && <more.QrCode {...screen} />}</div>
      <p class="spoken" role="status">
        {copied && text(copied.worked ? 'copied' : 'pressToCopy')}
      </p>
    </>
  );
}
