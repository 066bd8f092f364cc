import { formatWord } from '../../format/text.ts';

/** One field of a form. */
export type FieldSpec = {
  name: string;
  label: string;
  /** One short line below the field. */
  hint?: string;
  isRequired?: boolean;
} & (
  | { kind: 'text'; placeholder?: string; value?: string; inputMode?: 'text' | 'url' }
  /** An account number; spaces are removed. */
  | { kind: 'account' }
  /** An amount, read into minor units of a currency, which may be the value of another field. */
  | { kind: 'money'; currency: string }
  | { kind: 'money'; currencyField: string }
  | { kind: 'number'; value?: number; placeholder?: string }
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

function Control({ field, shared }: { field: FieldSpec; shared: { id: string; name: string } }) {
  switch (field.kind) {
    case 'choice':
      return (
        <select {...shared}>
          {field.options.map(({ value, label }) => (
            <option key={value} value={value} selected={value === field.value}>
              {label}
            </option>
          ))}
        </select>
      );
    case 'switch':
      return <input type="checkbox" {...shared} defaultChecked={field.value ?? false} />;
    case 'money':
      return <input {...shared} inputMode="decimal" autocomplete="off" placeholder="0.00" />;
    case 'account':
      return <input {...shared} inputMode="numeric" autocomplete="off" placeholder="0000 000 000" />;
    case 'number':
      return (
        <input
          {...shared}
          inputMode="decimal"
          autocomplete="off"
          placeholder={field.placeholder ?? ''}
          defaultValue={field.value === undefined ? '' : String(field.value)}
        />
      );
    case 'text':
      return (
        <input
          {...shared}
          inputMode={field.inputMode ?? 'text'}
          autocomplete="off"
          placeholder={field.placeholder ?? ''}
          defaultValue={field.value ?? ''}
        />
      );
  }
}

/** Makes options of status words. */
export const optionsOf = (words: readonly string[]): readonly Option[] =>
  words.map((word) => ({ value: word, label: formatWord(word) }));

export const currencies = optionsOf(['NGN', 'USD']);
