import { invoiceTransitions } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../money.ts';
import { nextStatusesOf } from '../next-statuses.ts';
import { usePanel } from '../panel-context.ts';
import type { Result } from '../panel-model.ts';
import { formatWord } from '../panel-text.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Badge } from '../parts/badge.tsx';
import { CallbacksOf } from '../parts/callbacks-of.tsx';
import { RawJson } from '../parts/code-block.tsx';
import { Facts } from '../parts/facts.tsx';
import { Form } from '../parts/form.tsx';
import { currencies } from '../parts/form-options.ts';
import { Moment } from '../parts/moment.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Create, Section } from '../parts/section.tsx';
import type { Invoice } from '../records.ts';

type InvoiceProps = { invoice: Invoice };

const nameOf = ({ number, reference, id }: Invoice): string => number || reference || id;

export function Invoices() {
  const { lists } = usePanel();
  return (
    <Section id="invoices" intro="The service can only cancel invoices; they are made, and paid, here.">
      <Create title="Create an invoice">
        <CreateInvoice />
      </Create>
      <RecordList
        section="invoices"
        watched={lists.invoices}
        idOf={({ id }) => id}
        textOf={(invoice) =>
          [
            invoice.id,
            nameOf(invoice),
            invoice.reference,
            invoice.status,
            invoice.description,
            formatMoney({ value: invoice.amountDue, currency: invoice.currency }),
          ].join(' ')
        }
        filterBy="number, description, status"
        row={(invoice) => (
          <>
            <strong class="amount">
              {formatMoney({ value: invoice.amountDue, currency: invoice.currency })}
            </strong>
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
        { name: 'amountDue', label: 'Amount due', kind: 'money', currency: 'NGN', isRequired: true },
        { name: 'currency', label: 'Currency', kind: 'choice', options: currencies },
        { name: 'description', label: 'Description', kind: 'text' },
        {
          name: 'status',
          label: 'Begins as',
          kind: 'choice',
          options: [
            { value: 'open', label: 'open' },
            { value: 'draft', label: 'draft' },
          ],
        },
        { name: 'callbackUrl', label: 'Callback URL', kind: 'text', inputMode: 'url' },
        { name: 'acceptPartialPayments', label: 'Takes partial payments', kind: 'switch', value: true },
      ]}
      submit="Create invoice"
      run={(values) => act(async () => `Created the invoice ${nameOf(await calls.createInvoice(values))}.`)}
    />
  );
}

function InvoiceDetails({ invoice }: InvoiceProps) {
  const money = (value: number | null | undefined) =>
    value === null || value === undefined ? undefined : formatMoney({ value, currency: invoice.currency });
  return (
    <>
      <div class="columns">
        <Facts
          facts={[
            { name: 'Paid', value: money(invoice.amountPaid), field: 'amountPaid' },
            { name: 'Remaining', value: money(invoice.amountRemaining), field: 'amountRemaining' },
            { name: 'Overpaid', value: invoice.amountOverpaid ? money(invoice.amountOverpaid) : undefined },
            {
              name: 'In parts',
              value: invoice.acceptPartialPayments === false ? 'refused' : 'taken',
            },
            { name: 'Due', value: invoice.dueDate && <Moment at={invoice.dueDate} /> },
            { name: 'Paid at', value: invoice.paidAt && <Moment at={invoice.paidAt} /> },
            { name: 'Cancelled', value: invoice.cancelledAt && <Moment at={invoice.cancelledAt} /> },
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
      <CallbacksOf ids={[invoice.id, invoice.reference]} callbackUrl={invoice.callbackUrl} />
      <RawJson record={invoice} />
    </>
  );
}

function PayInvoice({ invoice }: InvoiceProps) {
  const { act, calls } = usePanel();
  const { id, currency, amountDue } = invoice;
  const remaining = invoice.amountRemaining ?? amountDue;
  const show = (value: number): string => formatMoney({ value, currency });
  const pay = (amount: number): Promise<Result> =>
    act(async () => {
      const { status } = await calls.payInvoice(id, { amount });
      return `${show(amount)} paid; ${nameOf(invoice)} is now ${formatWord(status)}.`;
    });
  if (remaining <= 0 || !['open', 'partially_paid'].includes(invoice.status)) return null;
  const amounts = [
    { action: 'pay-exact', text: 'Exactly', amount: remaining },
    { action: 'pay-part', text: 'Part', amount: Math.max(1, Math.floor(remaining / 2)) },
    { action: 'pay-more', text: 'More', amount: remaining + Math.max(1, Math.floor(remaining / 10)) },
  ];
  return (
    <section class="part">
      <h3>Pay it</h3>
      <div class="buttons">
        {amounts.map(({ action, text, amount }) => (
          <ActionButton key={action} action={action} run={() => pay(amount)}>
            {text} <span class="quiet">{show(amount)}</span>
          </ActionButton>
        ))}
      </div>
      <Form
        name="pay-custom"
        isInline
        kind="plain"
        fields={[
          {
            name: 'amount',
            label: `Another amount, in ${currency}`,
            kind: 'money',
            currency,
            isRequired: true,
          },
        ]}
        submit="Pay"
        run={({ amount }) => pay(Number(amount))}
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
  if (next.length === 0) return <p class="quiet">Nothing follows {formatWord(invoice.status)}.</p>;
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
