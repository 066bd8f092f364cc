/** Control characters, line separators, and what changes the direction of text: they can hide or fake the text around them. */
const controls = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes the control characters of a text from outside, for a log or a terminal: `\u001b`. */
export const escapeControls = (text: string): string =>
  text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes the control characters of a text, or of the texts in a list. */
export function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeControls(value);
  return Array.isArray(value) ? value.map(escapeTexts) : value;
}
