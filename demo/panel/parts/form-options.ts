import type { Option } from './form-field.tsx';

/** Words to choose from, as they are. */
export const optionsOf = (words: readonly string[]): readonly Option[] =>
  words.map((word) => ({ value: word, label: word.replaceAll('_', ' ') }));

export const currencies = optionsOf(['NGN', 'USD']);
