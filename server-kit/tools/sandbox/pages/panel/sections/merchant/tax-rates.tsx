import type { SandboxTaxRate } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../format/money.ts';
import { formatWord } from '../../../format/text.ts';
import { CreateForm } from '../../forms/create-form.tsx';
import { type FieldSpec, optionsOf } from '../../forms/form-field.tsx';
import { usePanel } from '../../model/panel-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Timestamp } from '../../parts/time.tsx';

const rateOf = ({ rateType, percentage, fixedAmount }: SandboxTaxRate): string =>
  rateType === 'fixed_amount'
    ? formatMoney({ value: fixedAmount ?? 0, currency: 'NGN' })
    : `${percentage ?? 0} %`;

const fields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', kind: 'text', placeholder: 'VAT 7.5 %', isRequired: true },
  { name: 'taxType', label: 'Tax', kind: 'choice', options: optionsOf(['vat', 'sales_tax']) },
  {
    name: 'rateType',
    label: 'Rate',
    kind: 'choice',
    options: optionsOf(['percentage', 'fixed_amount']),
  },
  { name: 'percentage', label: 'Percentage', kind: 'number', placeholder: '7.5' },
  { name: 'fixedAmount', label: 'Fixed amount', kind: 'money', currency: 'NGN' },
  { name: 'description', label: 'Description', kind: 'text' },
  { name: 'inclusive', label: 'Included in prices', kind: 'switch' },
];

export function TaxRates() {
  const { calls, data } = usePanel();
  return (
    <RecordList
      section="tax-rates"
      intro="The service lists and retrieves tax rates; create them here."
      polled={data['tax-rates']}
      idOf={({ id }) => id}
      filterFields={({ id, name, taxType, rateType, description }) => [
        id,
        name,
        taxType,
        rateType,
        description,
      ]}
      filterBy="name, type"
      row={(rate) => (
        <>
          <strong class="amount">{rateOf(rate)}</strong>
          <Badge status={rate.active === false ? 'inactive' : 'active'} />
          <span class="name">{rate.name}</span>
          <span class="quiet">{rate.taxType && formatWord(rate.taxType)}</span>
        </>
      )}
      details={(rate) => (
        <>
          <Facts
            facts={[
              { name: 'Description', value: rate.description },
              { name: 'In the price', value: rate.inclusive ? 'included' : 'added' },
              { name: 'Id', value: <code>{rate.id}</code> },
              { name: 'Created', value: rate.createdAt && <Timestamp at={rate.createdAt} /> },
            ]}
          />
          <RawJson record={rate} />
        </>
      )}
      empty={
        <>
          <h3>No tax rate yet</h3>
          <p>Create one above; your server then finds it with client.taxRates.list().</p>
        </>
      }
    >
      <CreateForm
        kind="tax rate"
        fields={fields}
        create={calls.createTaxRate}
        nameOf={({ name }) => name ?? ''}
      />
    </RecordList>
  );
}
