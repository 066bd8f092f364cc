import type { ControlPayment } from 'transfer-checkout/sandbox';
import { formatMoney } from '../money.ts';
import { CopyButton } from './copy-button.tsx';
import type { PanelModel } from './panel-model.ts';
import { formatAccountNumber, formatExpiry, formatTime } from './panel-text.ts';
import { PaymentSettings } from './payment-settings.tsx';
import { SendMoney } from './send-money.tsx';

export type PaymentProps = { model: PanelModel; payment: ControlPayment };

/** One payment: what it is, what has arrived, and all that can be done to it. */
export function PaymentCard({ model, payment }: PaymentProps) {
  const { reference, status, amount } = payment;
  return (
    <article class="card payment" data-reference={reference} aria-label={`Payment ${reference}`}>
      <header class="payment-top">
        <h3>{formatMoney(amount)}</h3>
        <span class="badge" data-field="status" data-status={status}>
          {status}
        </span>
      </header>
      <div class="payment-body">
        <Facts model={model} payment={payment} />
        <div class="payment-actions">
          <SendMoney model={model} payment={payment} />
          <PaymentSettings model={model} payment={payment} />
        </div>
      </div>
      <Transfers payment={payment} />
    </article>
  );
}

function Facts({ model, payment }: PaymentProps) {
  const { amount, chargedAmount, accountNumber, accountName, bankName, customer, reference } = payment;
  const now = model.time.nowSeconds.value;
  return (
    <dl class="facts">
      <dt>Arrived</dt>
      <dd data-field="chargedAmount">{formatMoney({ value: chargedAmount, currency: amount.currency })}</dd>
      <dt>Account</dt>
      <dd>
        <span class="account" data-field="accountNumber">
          {formatAccountNumber(accountNumber)}
        </span>
        <CopyButton label="account number" value={accountNumber} report={model.report} />
      </dd>
      <dt>Bank</dt>
      <dd>{bankName}</dd>
      <dt>Name</dt>
      <dd>{accountName}</dd>
      <dt>Expires</dt>
      <dd data-field="expiry">{now === undefined ? '…' : formatExpiry(payment, now)}</dd>
      <dt>Customer</dt>
      <dd>{customer === null ? 'none given' : `${customer.name} · ${customer.email}`}</dd>
      <dt>Reference</dt>
      <dd>
        <code>{reference}</code>
      </dd>
    </dl>
  );
}

function Transfers({ payment: { transfers, amount } }: { payment: ControlPayment }) {
  if (transfers.length === 0) return null;
  return (
    <section class="transfers">
      <h4>Transfers</h4>
      <ol>
        {transfers.map((transfer) => (
          <li key={transfer.id} data-transfer={transfer.status}>
            <span class="transfer-line">
              <time dateTime={transfer.createdAt}>{formatTime(transfer.createdAt)}</time>
              <strong>{formatMoney({ value: transfer.amount, currency: amount.currency })}</strong>
              <span class="verdict">{transfer.status}</span>
            </span>
            {transfer.status === 'returned' && <span class="quiet">{transfer.reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
