import { useEffect, useState } from 'preact/hooks';
import type { LookModel } from '../model/look-model.ts';
import { loadDefaultTexts, type TextKey, textKeys, texts } from '../model/texts.ts';

/** Fields for some texts of the checkout. Each shows its default in the chosen language. */
export function TextFields({ model }: { model: LookModel }) {
  const { locale } = model.look.value;
  const [defaults, setDefaults] = useState<{ readonly [key in TextKey]?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    loadDefaultTexts(locale).then(
      (loaded) => isCurrent && setDefaults(loaded),
      // The preview reports that the language could not be loaded.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [locale]);
  return (
    <>
      {textKeys.map((key) => (
        <div class="field" key={key}>
          <label for={`text-${key}`}>
            {texts[key].label} <code>{key}</code>
          </label>
          <input
            id={`text-${key}`}
            dir="auto"
            autocomplete="off"
            placeholder={defaults[key] ?? ''}
            value={model.look.value.text[key] ?? ''}
            onInput={({ currentTarget }) => model.setText(key, currentTarget.value)}
          />
        </div>
      ))}
    </>
  );
}
