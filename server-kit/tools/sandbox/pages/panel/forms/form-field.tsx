import { formatWord } from '../../format/text.ts';

/** One field of a form. */
export type FieldSpec = {
  name: string;
  label: string;
  /** One short line below the field. */
  hint?: string;
  isRequired?: boolean;
} /** Spaces are removed from an account number. */ & (
  | { kind: 'text' | 'url' | 'number' | 'account'; value?: string | number; placeholder?: string }
  /** An amount, read into minor units of a currency, which may be the value of another field. */
  | ({ kind: 'money'; value?: never; placeholder?: never } & (
      | { currency: string }
      | { currencyField: string }
    ))
  /** The first option is selected unless `value` names another. */
  | { kind: 'choice'; options: readonly Option[]; value?: string }
  | { kind: 'switch'; value?: boolean }
);

export type Option = { value: string; label: string };

type FormFieldProps = { id: string; field: FieldSpec; problem: string | undefined };

export function FormField({ id, field, problem }: FormFieldProps) {
  const describedBy = `${id}-about`;
  const shared = {
    id,
    name: field.name,
    'aria-describedby': describedBy,
    'aria-invalid': problem !== undefined,
    'aria-required': field.isRequired,
  };
  return (
    <div class="form-field" data-kind={field.kind}>
      <label for={id}>
        {field.label}
        {field.isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <Control field={field} shared={shared} />
      <p id={describedBy} class={problem ? 'problem' : 'hint'} aria-live="polite">
        {problem ?? field.hint}
      </p>
    </div>
  );
}

const inputs = {
  text: { inputMode: 'text' },
  url: { inputMode: 'url' },
  number: { inputMode: 'decimal' },
  account: { inputMode: 'numeric', placeholder: '0000 000 000' },
  money: { inputMode: 'decimal', placeholder: '0.00' },
} as const;

function Control({ field, shared }: { field: FieldSpec; shared: { id: string; name: string } }) {
  if (field.kind === 'switch')
    return <input type="checkbox" {...shared} defaultChecked={field.value ?? false} />;
  if (field.kind !== 'choice') {
    const { kind, value = '', placeholder = '' } = field;
    return (
      <input
        {...shared}
        autocomplete="off"
        placeholder={placeholder}
        {...inputs[kind]}
        defaultValue={String(value)}
      />
    );
  }
  return (
    <select {...shared}>
      {field.options.map(({ value, label }) => (
        <option key={value} value={value} selected={value === field.value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Makes options of status words. */
export const optionsOf = (words: readonly string[]): readonly Option[] =>
  words.map((word) => ({ value: word, label: formatWord(word) }));

export const currencies = optionsOf(['NGN', 'USD']);
