import { useId } from 'preact/hooks';
import type { ControlPayment } from 'transfer-checkout/sandbox';
import { amountChoices, missingAmount } from '../format/amounts.ts';
import { formatMoney, parseAmount } from '../format/money.ts';
import { describeTransfer, formatArrived, policyLabels } from '../format/records.ts';
import { formatWord } from '../format/text.ts';
import { Form } from './form.tsx';
import { type Result, usePanel } from './model.ts';
import { ActionButton, Badge, CodeBlock, CopyButton, Facts, Part, Timestamp } from './parts.tsx';
import { hrefOf } from './route.ts';

export type PaymentProps = { payment: ControlPayment };

/** Returns a function that sends money, in minor units, and reports the result. */
export function useTransfer(): (accountNumber: string, amount: number) => Promise<Result> {
  const { act, calls } = usePanel();
  return (accountNumber, amount) =>
    act(
      () => calls.transfer({ accountNumber, amount }),
      ({ transfer, payment }) => ({
        text: describeTransfer(transfer, payment),
        tone: transfer.status === 'returned' ? 'problem' : 'done',
      }),
    );
}

export function PaymentDetails({ payment }: PaymentProps) {
  const { id, reference, bankName, accountName, customer, expiresAt, callbackUrl, createdAt } = payment;
  const facts = [
    { name: 'Arrived', value: formatArrived(payment), field: 'chargedAmount' },
    { name: 'Account', value: `${accountName}, ${bankName}` },
    { name: 'Expires', value: <Timestamp at={expiresAt} /> },
    { name: 'Customer', value: customer && [customer.name, customer.email].filter(Boolean).join(' · ') },
    {
      name: 'Reference',
      value: (
        <>
          <code>{reference}</code> <CopyButton label="reference" value={reference} />
        </>
      ),
    },
    { name: 'Id', value: <code>{id}</code> },
    { name: 'Callbacks to', value: callbackUrl && <code>{callbackUrl}</code> },
    { name: 'Created', value: <Timestamp at={createdAt} /> },
  ];
  return (
    <>
      <div class="columns">
        <Facts facts={facts} />
        <SendMoney payment={payment} />
        <ChangePayment payment={payment} />
        <Transfers payment={payment} />
        <PaymentCallbacks payment={payment} />
      </div>
      <details class="raw">
        <summary>Raw JSON</summary>
        <CodeBlock name="record" text={JSON.stringify(payment)} />
      </details>
    </>
  );
}

function SendMoney({ payment }: PaymentProps) {
  const { reference, accountNumber, amount } = payment;
  const { currency } = amount;
  const transfer = useTransfer();
  return (
    <Part title="Send money">
      <div class="buttons">
        {amountChoices(amount.value, missingAmount(payment)).map(({ name, label, value }) => {
          const money = formatMoney({ value, currency });
          return (
            <ActionButton
              key={name}
              action={`send-${name}`}
              label={`${label} ${money}: ${reference}`}
              run={() => transfer(accountNumber, value)}
            >
              {label} <span class="quiet">{money}</span>
            </ActionButton>
          );
        })}
      </div>
      <Form
        name="send-custom"
        field="amount"
        label={`Another amount, in ${currency}`}
        inputMode="decimal"
        submit="Send"
        read={(text) => parseAmount(text, currency)}
        run={(value) => transfer(accountNumber, value)}
      />
    </Part>
  );
}

const verbs: Readonly<Record<string, string>> = {
  expired: 'Expire now',
  failed: 'Fail',
  reversed: 'Reverse',
  succeeded: 'Confirm now',
};

function ChangePayment({ payment }: PaymentProps) {
  const { act, calls } = usePanel();
  const id = useId();
  const { reference, nextStatuses, acceptedAmountPolicy } = payment;
  const update = (input: object, done: (updated: ControlPayment) => string): Promise<Result> =>
    act(() => calls.updatePayment(reference, input), done);
  return (
    <Part title="Status and policy">
      {nextStatuses.length === 0 && <p class="quiet">No status follows {formatWord(payment.status)}.</p>}
      <div class="buttons">
        {nextStatuses.map((status) => (
          <ActionButton
            key={status}
            action={`status-${status}`}
            run={() => update({ status }, (updated) => `${reference} is now ${formatWord(updated.status)}.`)}
          >
            {verbs[status] ?? `Mark as ${formatWord(status)}`}
          </ActionButton>
        ))}
      </div>
      <div class="form-field">
        <label for={id}>Accepted amounts</label>
        <select
          id={id}
          data-action="policy"
          value={acceptedAmountPolicy}
          onChange={async ({ currentTarget }) => {
            const changes = { acceptedAmountPolicy: currentTarget.value };
            const { isDone } = await update(changes, () => `${reference} now accepts other amounts.`);
            if (!isDone) currentTarget.value = acceptedAmountPolicy;
          }}
        >
          {Object.entries(policyLabels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </Part>
  );
}

function Transfers({ payment: { transfers } }: PaymentProps) {
  return (
    <Part title="Transfers">
      {transfers.length === 0 && <p class="quiet">No money has been sent yet.</p>}
      <ol class="lines">
        {transfers.map((transfer) => (
          <li key={transfer.id}>
            <strong class="amount">
              {formatMoney({ value: transfer.amount, currency: transfer.currency })}
            </strong>
            <Badge status={transfer.status} />
            <Timestamp at={transfer.createdAt} />
            {transfer.status === 'returned' && <span class="quiet">{transfer.reason}</span>}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function PaymentCallbacks({ payment: { id, callbackUrl } }: PaymentProps) {
  const callbacks = usePanel().data.callbacks.value ?? [];
  return (
    <Part title="Callbacks">
      {callbackUrl === null && <p class="quiet">None: it was created without a callbackUrl.</p>}
      <ul class="lines">
        {callbacks
          .filter(({ recordId }) => recordId === id)
          .map((callback) => (
            <li key={callback.id}>
              <a href={hrefOf('callbacks', callback.id)}>{callback.event}</a>
              <Badge status={callback.state} />
              <Timestamp at={callback.createdAt} />
            </li>
          ))}
      </ul>
    </Part>
  );
}
