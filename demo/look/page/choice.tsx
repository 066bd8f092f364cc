export type Option<Value extends string> = { readonly value: Value; readonly label: string };

type ChoiceProps<Value extends string> = {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** A few options side by side, one of which is chosen. */
export function Choice<Value extends string>({ name, label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type SelectProps<Value extends string> = ChoiceProps<Value> & { readonly hint?: string | undefined };

/** A list from which one option is chosen. */
export function Select<Value extends string>({
  name,
  label,
  options,
  value,
  hint,
  onChange,
}: SelectProps<Value>) {
  const hintId = `${name}-hint`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        value={value}
        aria-describedby={hint && hintId}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
