import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import {
  type CheckoutModel,
  formatMoney,
  groupAccountNumber,
  missingAmount,
  type PaymentState,
  plainAmount,
  wordsOf,
} from '../model/index.ts';
import { ConnectionLine } from './connection-line.tsx';
import { type Copy, CopyButton } from './copy-button.tsx';
import { QrCode } from './qr-code.tsx';
import { TimeLeft } from './time-left.tsx';

type Props = { model: CheckoutModel; state: PaymentState<'awaitingTransfer'> };

/** Where to send the money, how much, and how long. */
export function TransferScreen({ model, state }: Props): JSX.Element {
  const { text } = model;
  const { account, amount } = state.payment;
  const { title, leads } = wordsOf(state, text);
  const missing = { ...amount, value: missingAmount(state.payment) };
  const copied = useSignal<Copy | undefined>(undefined);
  const copy = (field: Copy['field'], value: string) => (
    <CopyButton text={text} field={field} value={value} last={copied} />
  );
  const row = (field: Copy['field'], value: string, button?: ComponentChildren) => (
    <div class={`row ${field}`}>
      <dt>{text(field)}</dt>
      <dd>
        <span data-field={field}>{value}</span>
        {button}
      </dd>
    </div>
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
        {row('amount', formatMoney(amount), missing.value === 0 && copy('amount', plainAmount(amount)))}
        {missing.value > 0 && row('missing', formatMoney(missing), copy('missing', plainAmount(missing)))}
      </dl>
      <TimeLeft model={model} />
      <ConnectionLine model={model} connection={state.connection} />
      <QrCode text={text} payment={state.payment} />
      <p class="spoken" role="status">
        {copied.value && text(copied.value.worked ? 'copied' : 'pressToCopy')}
      </p>
    </>
  );
}
