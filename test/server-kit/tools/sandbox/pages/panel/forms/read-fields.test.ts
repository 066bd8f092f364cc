import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../../../../../server-kit/client/api/endpoints.ts';
import type { FieldSpec } from '../../../../../../../server-kit/tools/sandbox/pages/panel/forms/form-field.tsx';
import { readFields } from '../../../../../../../server-kit/tools/sandbox/pages/panel/forms/read-fields.ts';
import {
  faultFields,
  readFault,
} from '../../../../../../../server-kit/tools/sandbox/pages/panel/sections/integration/fault-form.ts';

function formOf(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

const fields: readonly FieldSpec[] = [
  { name: 'amount', label: 'Amount', kind: 'money', currency: 'NGN', isRequired: true },
  { name: 'account', label: 'Account', kind: 'account' },
  { name: 'delay', label: 'Delay', kind: 'number' },
  { name: 'note', label: 'Note', kind: 'text' },
  { name: 'partial', label: 'Partial', kind: 'switch' },
];

describe('a form', () => {
  it('is converted for the control calls', () => {
    const typed = {
      amount: ' 12,500.50 ',
      account: '9012 345 678',
      delay: '0.5',
      note: ' hi ',
      partial: 'on',
    };
    expect(readFields(fields, formOf(typed))).toEqual({
      values: { amount: 1_250_050, account: '9012345678', delay: 0.5, note: 'hi', partial: true },
      problems: {},
    });
  });

  it('leaves out empty fields, except switches', () => {
    expect(readFields(fields, formOf({ amount: '1' })).values).toEqual({ amount: 100, partial: false });
  });

  it('says what to type if a field is invalid', () => {
    const { problems } = readFields(fields, formOf({ amount: '', delay: '5s' }));
    expect(problems).toEqual({ amount: 'Fill this in.', delay: 'Type a number such as 5 or 0.5.' });
    expect(readFields(fields, formOf({ amount: '1.005' })).problems.amount).toContain('at most 2 digits');
  });
});

describe('an amount with a currency field', () => {
  const withCurrency: readonly FieldSpec[] = [
    { name: 'amount', label: 'Amount', kind: 'money', currencyField: 'currency' },
    { name: 'currency', label: 'Currency', kind: 'text' },
  ];

  it('is read in the currency of the other field', () => {
    expect(readFields(withCurrency, formOf({ amount: '12', currency: 'JPY' })).values.amount).toBe(12);
    expect(readFields(withCurrency, formOf({ amount: '12', currency: 'USD' })).values.amount).toBe(1200);
    const { problems } = readFields(withCurrency, formOf({ amount: '1.005', currency: 'USD' }));
    expect(problems.amount).toContain('USD');
  });
});

describe('the form of a fault', () => {
  it('offers all operations first, then each', () => {
    const operation = faultFields.find(({ name }) => name === 'operation');
    const options = operation?.kind === 'choice' ? operation.options : [];
    expect(options[0]).toEqual({ value: '*', label: 'every operation' });
    expect(options.slice(1).map(({ value }) => value)).toEqual(Object.keys(endpoints));
  });

  it('converts statuses to numbers, keeps words, and has a probability from 0 to 1', () => {
    const { values } = readFields(
      faultFields,
      formOf({ operation: '*', status: '503', chance: '25', phase: 'before' }),
    );
    expect(readFault(values)).toEqual({ operation: '*', status: 503, probability: 0.25, phase: 'before' });
    expect(readFault({ status: 'timeout', times: 2 })).toEqual({ status: 'timeout', times: 2 });
  });
});
