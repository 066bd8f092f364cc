import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type CssValueName, type CssValues, cssValueNames, isValidCssValue } from './css-values.ts';
import { defaultLook, type Look, type LookOptions, optionsOf, readLook } from './look.ts';
import type { Preset } from './presets.ts';
import { type TextKey, texts } from './texts.ts';

/** The look that the visitor is changing. */
export type LookModel = {
  readonly look: ReadonlySignal<Look>;
  readonly options: ReadonlySignal<LookOptions>;
  /** Values that were typed and are invalid. The look keeps the last valid ones. */
  readonly rejected: ReadonlySignal<CssValues>;
  readonly change: (changes: Partial<Look>) => void;
  /** Takes the value if it is valid. An empty one is the default. */
  readonly setVariable: (name: CssValueName, value: string) => void;
  /** Changes a text, and shows a screen that contains it. An empty one is the default. */
  readonly setText: (key: TextKey, value: string) => void;
  /** Takes the colours and sizes of a brand, instead of all chosen ones. */
  readonly begin: (preset: Preset) => void;
  /** Sets everything to its default, except the screen. */
  readonly reset: () => void;
};

/** Creates the model of the page from its query. */
export function createLookModel(search: string): LookModel {
  const given = readLook(search);
  const look = signal<Look>({ ...given, variables: {} });
  const rejected = signal<CssValues>({});

  const change: LookModel['change'] = (changes) => {
    look.value = { ...look.peek(), ...changes };
  };
  const setVariable: LookModel['setVariable'] = (name, value) => {
    const wanted = value.trim();
    const isValid = wanted === '' || isValidCssValue(name, wanted);
    rejected.value = withValue(rejected.peek(), name, isValid ? '' : value);
    if (isValid) change({ variables: withValue(look.peek().variables, name, wanted) });
  };
  for (const name of cssValueNames) setVariable(name, given.variables[name] ?? '');

  return {
    look,
    options: computed(() => optionsOf(look.value)),
    rejected,
    change,
    setVariable,
    setText: (key, value) =>
      change({ screen: texts[key].screen, text: withValue(look.peek().text, key, value) }),
    begin({ theme, variables }) {
      rejected.value = {};
      change({ theme, variables });
    },
    reset() {
      rejected.value = {};
      change({ ...defaultLook, screen: look.peek().screen });
    },
  };
}

/** Returns a copy in which a name has this value, or none if it is empty. */
function withValue<T extends object>(values: T, name: keyof T, value: string): T {
  const { [name]: _, ...others } = values;
  return (value === '' ? others : { ...others, [name]: value }) as T;
}
