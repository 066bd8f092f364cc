import { parseAmount } from '../../format/money.ts';
import type { FieldSpec } from './form-field.tsx';

export type ReadFields = {
  /** Without empty fields. */
  values: Record<string, unknown>;
  /** For each invalid field, what to type. */
  problems: Record<string, string>;
};

type Parsed = { value: unknown } | { problem: string };

/** Reads the values of a form: amounts in minor units, numbers, booleans and text. */
export function readFields(fields: readonly FieldSpec[], data: FormData): ReadFields {
  const textOf = (name: string): string => String(data.get(name) ?? '').trim();
  const values: ReadFields['values'] = {};
  const problems: ReadFields['problems'] = {};
  for (const field of fields) {
    const parsed = readField(field, textOf);
    if ('problem' in parsed) problems[field.name] = parsed.problem;
    else if (parsed.value !== undefined) values[field.name] = parsed.value;
  }
  return { values, problems };
}

function readField(field: FieldSpec, textOf: (name: string) => string): Parsed {
  const text = textOf(field.name);
  if (field.kind === 'switch') return { value: text === 'on' };
  if (text === '') return field.isRequired ? { problem: 'Fill this in.' } : { value: undefined };
  switch (field.kind) {
    case 'money':
      return parseAmount(text, 'currency' in field ? field.currency : textOf(field.currencyField));
    case 'number':
      return readNumber(text);
    case 'account':
      return { value: text.replaceAll(/\s/g, '') };
    default:
      return { value: text };
  }
}

const readNumber = (text: string): Parsed =>
  /^-?\d+(\.\d+)?$/.test(text) ? { value: Number(text) } : { problem: 'Type a number such as 5 or 0.5.' };
