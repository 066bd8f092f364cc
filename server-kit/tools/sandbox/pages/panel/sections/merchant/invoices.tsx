import { invoiceTransitions, type SandboxInvoice } from 'transfer-checkout/sandbox';
import { amountChoices } from '../../../format/amounts.ts';
import { formatMoney } from '../../../format/money.ts';
import { formatWord } from '../../../format/text.ts';
import { CreateForm } from '../../forms/create-form.tsx';
import { Form } from '../../forms/form.tsx';
import { currencies, type FieldSpec, optionsOf } from '../../forms/form-field.tsx';
import { SendAmount } from '../../forms/send-amount.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';
import { Actions, statusActions } from '../../parts/actions.tsx';
import { Badge } from '../../parts/badge.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Part } from '../../parts/section.tsx';
import { Timestamp } from '../../parts/time.tsx';

type InvoiceProps = { invoice: SandboxInvoice };

const moneyOf = ({ currency }: SandboxInvoice, value: number): string =>
  formatMoney({ value, currency: currency ?? 'NGN' });

const nameOf = ({ number, reference, id }: SandboxInvoice): string => number || reference || id;

const fields: readonly FieldSpec[] = [
  {
    name: 'amountDue',
    label: 'Amount due',
    kind: 'money',
    currencyField: 'currency',
    isRequired: true,
  },
  { name: 'currency', label: 'Currency', kind: 'choice', options: currencies },
  { name: 'description', label: 'Description', kind: 'text' },
  {
    name: 'status',
    label: 'Initial status',
    kind: 'choice',
    options: optionsOf(['open', 'draft']),
  },
  { name: 'callbackUrl', label: 'Callback URL', kind: 'url' },
  { name: 'acceptPartialPayments', label: 'Accepts partial payments', kind: 'switch', value: true },
];

export function Invoices() {
  const { calls, data } = usePanel();
  return (
    <RecordList
      section="invoices"
      intro="The service can only cancel invoices; create and pay them here."
      polled={data.invoices}
      idOf={({ id }) => id}
      filterFields={(invoice) => [
        invoice.id,
        nameOf(invoice),
        invoice.reference,
        invoice.status,
        invoice.description,
        moneyOf(invoice, invoice.amountDue),
      ]}
      filterBy="number, description, status"
      row={(invoice) => (
        <>
          <strong class="amount">{moneyOf(invoice, invoice.amountDue)}</strong>
          <Badge status={invoice.status} />
          <code class="name">{nameOf(invoice)}</code>
          <span class="quiet">{invoice.description}</span>
        </>
      )}
      details={(invoice) => <InvoiceDetails invoice={invoice} />}
      empty={
        <>
          <h3>No invoice yet</h3>
          <p>Create one above; your server can then cancel it with client.invoices.cancel(id).</p>
        </>
      }
    >
      <CreateForm kind="invoice" fields={fields} create={calls.createInvoice} nameOf={nameOf} />
    </RecordList>
  );
}

function InvoiceDetails({ invoice }: InvoiceProps) {
  return (
    <>
      <div class="columns">
        <Facts
          facts={[
            { name: 'Paid', value: moneyOf(invoice, invoice.amountPaid), field: 'amountPaid' },
            { name: 'Remaining', value: moneyOf(invoice, invoice.amountRemaining), field: 'amountRemaining' },
            {
              name: 'Overpaid',
              value: invoice.amountOverpaid > 0 && moneyOf(invoice, invoice.amountOverpaid),
            },
            {
              name: 'Partial payments',
              value: invoice.acceptPartialPayments === false ? 'refused' : 'accepted',
            },
            { name: 'Due', value: invoice.dueDate && <Timestamp at={invoice.dueDate} /> },
            { name: 'Paid at', value: invoice.paidAt && <Timestamp at={invoice.paidAt} /> },
            { name: 'Cancelled', value: invoice.cancelledAt && <Timestamp at={invoice.cancelledAt} /> },
            { name: 'Reason', value: invoice.cancellationReason },
            { name: 'Id', value: <code>{invoice.id}</code> },
            { name: 'Callbacks to', value: invoice.callbackUrl && <code>{invoice.callbackUrl}</code> },
          ]}
        />
        <div class="stack">
          <PayInvoice invoice={invoice} />
          <ChangeInvoice invoice={invoice} />
        </div>
      </div>
      <RecordCallbacks ids={[invoice.id, invoice.reference]} callbackUrl={invoice.callbackUrl} />
      <RawJson record={invoice} />
    </>
  );
}

function PayInvoice({ invoice }: InvoiceProps) {
  const { act, calls } = usePanel();
  const { id, status, amountDue, amountRemaining, currency } = invoice;
  if (!invoiceTransitions[status].includes('paid')) return null;
  return (
    <SendAmount
      title="Pay the invoice"
      verb="pay"
      to={nameOf(invoice)}
      currency={currency ?? 'NGN'}
      choices={amountChoices(amountDue, amountRemaining)}
      run={(amount) =>
        act(
          () => calls.payInvoice(id, { amount }),
          (paid) => `${moneyOf(invoice, amount)} paid; ${nameOf(invoice)} is now ${formatWord(paid.status)}.`,
        )
      }
    />
  );
}

function ChangeInvoice({ invoice }: InvoiceProps) {
  const { act, calls } = usePanel();
  const next = invoiceTransitions[invoice.status];
  const update = (input: { status: string }): Promise<Result> =>
    act(
      () => calls.updateInvoice(invoice.id, input),
      ({ status }) => `${nameOf(invoice)} is now ${formatWord(status)}.`,
    );
  if (next.length === 0) return <p class="quiet">No status follows {formatWord(invoice.status)}.</p>;
  // Money makes the other statuses.
  const opening = next.filter((status) => status === 'open');
  return (
    <Part title="Status">
      <Actions
        of={nameOf(invoice)}
        actions={statusActions(opening, { open: 'Open' }, (status) => update({ status }))}
      />
      {next.includes('cancelled') && (
        <Form
          name="cancel-invoice"
          isInline
          kind="plain"
          fields={[{ name: 'cancellationReason', label: 'Reason', kind: 'text' }]}
          submit="Cancel invoice"
          run={(values) => update({ status: 'cancelled', ...values })}
        />
      )}
    </Part>
  );
}
