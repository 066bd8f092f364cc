import { invoiceTransitions, type SandboxInvoice } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../format/money.ts';
import { formatWord } from '../../../format/text.ts';
import { AmountForm } from '../../forms/amount-form.tsx';
import { Form } from '../../forms/form.tsx';
import { currencies, optionsOf } from '../../forms/form-field.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { CollapsibleForm, Section } from '../../parts/section.tsx';
import { nextStatusesOf } from '../../parts/status-buttons.tsx';
import { Timestamp } from '../../parts/time.tsx';

type InvoiceProps = { invoice: SandboxInvoice };

const moneyOf = ({ currency }: SandboxInvoice, value: number): string =>
  formatMoney({ value, currency: currency ?? 'NGN' });

const nameOf = ({ number, reference, id }: SandboxInvoice): string => number || reference || id;

export function Invoices() {
  const { data } = usePanel();
  return (
    <Section id="invoices" intro="The service can only cancel invoices; create and pay them here.">
      <CollapsibleForm title="Create an invoice">
        <CreateInvoice />
      </CollapsibleForm>
      <RecordList
        section="invoices"
        polled={data.invoices}
        idOf={({ id }) => id}
        textOf={(invoice) =>
          [
            invoice.id,
            nameOf(invoice),
            invoice.reference,
            invoice.status,
            invoice.description,
            moneyOf(invoice, invoice.amountDue),
          ].join(' ')
        }
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
      />
    </Section>
  );
}

function CreateInvoice() {
  const { act, calls } = usePanel();
  return (
    <Form
      name="create-invoice"
      fields={[
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
        { name: 'callbackUrl', label: 'Callback URL', kind: 'text', inputMode: 'url' },
        { name: 'acceptPartialPayments', label: 'Accepts partial payments', kind: 'switch', value: true },
      ]}
      submit="Create invoice"
      run={(values) => act(async () => `Created the invoice ${nameOf(await calls.createInvoice(values))}.`)}
    />
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
  const remaining = invoice.amountRemaining;
  const pay = (amount: number): Promise<Result> =>
    act(async () => {
      const { status } = await calls.payInvoice(invoice.id, { amount });
      return `${moneyOf(invoice, amount)} paid; ${nameOf(invoice)} is now ${formatWord(status)}.`;
    });
  if (remaining <= 0 || !['open', 'partially_paid'].includes(invoice.status)) return null;
  const amounts = [
    { action: 'pay-exact', text: 'Exactly', amount: remaining },
    { action: 'pay-part', text: 'Part', amount: Math.max(1, Math.floor(remaining / 2)) },
    { action: 'pay-more', text: 'More', amount: remaining + Math.max(1, Math.floor(remaining / 10)) },
  ];
  return (
    <section class="part">
      <h3>Pay the invoice</h3>
      <div class="buttons">
        {amounts.map(({ action, text, amount }) => (
          <ActionButton key={action} action={action} run={() => pay(amount)}>
            {text} <span class="quiet">{moneyOf(invoice, amount)}</span>
          </ActionButton>
        ))}
      </div>
      <AmountForm
        name="pay-custom"
        label="Another amount"
        currency={invoice.currency ?? 'NGN'}
        submit="Pay"
        run={pay}
      />
    </section>
  );
}

function ChangeInvoice({ invoice }: InvoiceProps) {
  const { act, calls } = usePanel();
  const next = nextStatusesOf(invoiceTransitions, invoice.status);
  const update = (input: { status: string }): Promise<Result> =>
    act(async () => {
      const { status } = await calls.updateInvoice(invoice.id, input);
      return `${nameOf(invoice)} is now ${formatWord(status)}.`;
    });
  if (next.length === 0) return <p class="quiet">No status follows {formatWord(invoice.status)}.</p>;
  return (
    <section class="part">
      <h3>Status</h3>
      {next.includes('open') && (
        <ActionButton
          action="status-open"
          label={`Open: ${nameOf(invoice)}`}
          run={() => update({ status: 'open' })}
        >
          Open
        </ActionButton>
      )}
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
    </section>
  );
}
