import { useRef } from 'preact/hooks';
import { type CssValueName, type CssValueSpec, cssValues } from '../model/css-values.ts';
import type { LookModel } from '../model/look-model.ts';
import { toHex } from '../model/read-colors.ts';

type CssValueFieldProps = {
  readonly model: LookModel;
  readonly name: CssValueName;
  /** The colour that the preview has now, for the colour picker. */
  readonly shownColor: string | undefined;
};

/** A field for one custom property: CSS as text, with a picker beside it. */
export function CssValueField({ model, name, shownColor }: CssValueFieldProps) {
  const spec: CssValueSpec = cssValues[name];
  const { [name]: value } = model.look.value.variables;
  const { [name]: rejected } = model.rejected.value;
  const typed = rejected ?? value ?? '';
  const set = (next: string): void => model.setVariable(name, next);
  const aboutId = `${name}-about`;
  const input = useRef<HTMLInputElement>(null);
  const reset = (): void => {
    set('');
    // The button disappears.
    input.current?.focus();
  };
  return (
    <div class="field" data-name={name}>
      <label for={name}>{spec.label}</label>
      <div class="inputs">
        <Picker spec={spec} value={value} shownColor={shownColor} onPick={set} />
        <input
          ref={input}
          id={name}
          value={typed}
          placeholder="default"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          list={spec.suggestions && `${name}-list`}
          aria-describedby={aboutId}
          aria-invalid={rejected !== undefined}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
        {typed !== '' && (
          <button type="button" class="reset" aria-label={`Reset: ${spec.label}`} onClick={reset}>
            <span aria-hidden="true">×</span>
          </button>
        )}
      </div>
      {spec.suggestions && (
        <datalist id={`${name}-list`}>
          {spec.suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <p id={aboutId} class={rejected === undefined ? 'hint' : 'problem'} aria-live="polite">
        {rejected === undefined
          ? spec.hint
          : `Not valid. Write ${spec.example}. The preview keeps the last valid value.`}
      </p>
    </div>
  );
}

type PickerProps = {
  readonly spec: CssValueSpec;
  readonly value: string | undefined;
  readonly shownColor: string | undefined;
  readonly onPick: (value: string) => void;
};

function Picker({ spec: { label, picker }, value, shownColor, onPick }: PickerProps) {
  if (picker === undefined) return null;
  if (picker === 'color') {
    return (
      <input
        type="color"
        aria-label={`Pick: ${label}`}
        value={(value && toHex(value)) ?? shownColor ?? '#000000'}
        onInput={({ currentTarget }) => onPick(currentTarget.value)}
      />
    );
  }
  const [, pixels] = /^([\d.]+)(?:px)?$/.exec(value ?? '') ?? [];
  return (
    <input
      type="range"
      aria-label={`${label} in pixels`}
      min={picker.min}
      max={picker.max}
      value={pixels ?? picker.usual}
      onInput={({ currentTarget }) => onPick(`${currentTarget.value}px`)}
    />
  );
}
