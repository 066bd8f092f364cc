import { languages, reviewedTags } from '../../../src/i18n/languages.ts';
import { choices } from '../../gallery/query.ts';
import { type CssValueName, cssValueNames, cssValues } from '../model/css-values.ts';
import type { LookModel } from '../model/look-model.ts';
import type { PreviewFacts } from '../model/preview-facts.ts';
import { Choice, type Option, Select } from './choice.tsx';
import { CssValueField } from './css-value-field.tsx';
import { PresetButtons } from './preset-buttons.tsx';
import { TextFields } from './text-fields.tsx';

type ControlsProps = { readonly model: LookModel; readonly facts: PreviewFacts | undefined };

/** Everything that can be changed about the look. */
export function Controls({ model, facts }: ControlsProps) {
  const { theme, density, locale } = model.look.value;
  const fields = (names: readonly CssValueName[]) =>
    names.map((name) => (
      <CssValueField key={name} model={model} name={name} shownColor={facts?.colors[name]} />
    ));
  return (
    <form class="controls" aria-label="Look" onSubmit={(event) => event.preventDefault()}>
      <PresetButtons model={model} />
      <Choice
        name="theme"
        label="Theme"
        options={optionsFor(['auto', 'light', 'dark'] as const)}
        value={theme}
        onChange={(next) => model.change({ theme: next })}
      />
      <fieldset>
        <legend>Colours</legend>
        {fields(cssValueNames.filter(isColor))}
      </fieldset>
      <fieldset>
        <legend>Shape, type and spacing</legend>
        {fields(cssValueNames.filter((name) => !isColor(name)))}
        <Choice
          name="density"
          label="Density"
          options={optionsFor(choices.density)}
          value={density}
          onChange={(next) => model.change({ density: next })}
        />
      </fieldset>
      <fieldset>
        <legend>Texts</legend>
        <Select
          name="locale"
          label="Language"
          options={languageOptions}
          value={locale}
          hint={aboutLanguage(locale)}
          onChange={(next) => model.change({ locale: next })}
        />
        <p class="hint">
          Every text of the checkout can be replaced, also by language. While you change one of these, the
          preview shows its screen.
        </p>
        <TextFields model={model} />
      </fieldset>
      <button type="button" onClick={model.reset}>
        Reset everything
      </button>
    </form>
  );
}

const isColor = (name: CssValueName): boolean => cssValues[name].property === 'color';

const optionsFor = <Value extends string>(values: readonly Value[]): readonly Option<Value>[] =>
  values.map((value) => ({ value, label: value.replace(/^./, (letter) => letter.toUpperCase()) }));

const isReviewed = (tag: string): boolean => reviewedTags.includes(tag);

const named = { en: { name: 'English' }, ...languages };

const languageOptions: readonly Option<string>[] = [
  { value: 'auto', label: 'Auto' },
  ...Object.entries(named).map(([tag, { name }]) => ({
    value: tag,
    label: isReviewed(tag) ? name : `${name} – not reviewed yet`,
  })),
];

function aboutLanguage(locale: string): string | undefined {
  if (locale === 'auto') return 'The reader’s language, if its translation has been reviewed by a speaker.';
  if (isReviewed(locale)) return undefined;
  return 'No speaker has reviewed this translation yet. The checkout uses it only because you name it.';
}
