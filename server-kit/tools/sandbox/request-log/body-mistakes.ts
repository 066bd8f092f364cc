import { canonicalJson } from '../../../client/signing/canonical-json.ts';
import type { Mistake } from './mistake.ts';

/** Common mistakes in hashing the body. */
export const bodyMistakes: readonly Mistake[] = [
  {
    hint: 'A number was hashed as another language writes it; hash it as JavaScript does: 100 for 100.0 and 1e2, and no whole number above 2^53.',
    change: (_recipe, { bodyText }) => (bodyText === undefined ? {} : { body: withSentNumbers(bodyText) }),
  },
  {
    hint: 'The body was hashed as it was sent; sort its keys at every depth first.',
    change: (recipe, { bodyText = recipe.body }) => ({ body: bodyText }),
  },
  {
    hint: 'Only the outermost keys of the body were sorted before it was hashed; sort them at every depth.',
    change: (recipe, { bodyText = recipe.body }) => ({ body: sortOutermost(bodyText) }),
  },
  {
    hint: 'The body hash was left out; sign it between the path and the timestamp.',
    change: () => ({ bodyPart: 'nothing' }),
  },
  {
    hint: 'The body itself was signed; sign its hash instead.',
    change: () => ({ bodyPart: 'text' }),
  },
  ...['{}', '', 'null', '""', '[]'].map(
    (hashed): Mistake => ({
      hint: `There is no body, but a hash of ${hashed || 'an empty text'} was signed; leave the hash out.`,
      change: (recipe) => (recipe.body === undefined ? { body: hashed } : {}),
    }),
  ),
  {
    hint: 'Spaces were hashed after the commas and colons of the body; write it without them (in Python: separators=(",", ":")).',
    change: ({ body }) => ({ body: body?.replace(jsonToken, (token) => spacedOut[token] ?? token) }),
  },
  {
    hint: 'Letters beyond ASCII were hashed as \\u escapes; hash the letters themselves, in UTF-8.',
    change: ({ body }) => ({ body: body?.replace(/[^\0-\x7f]/g, escapeUnit) }),
  },
  {
    hint: 'Slashes in the body were hashed as \\/; hash them as they are (in PHP: JSON_UNESCAPED_SLASHES).',
    change: ({ body }) => ({ body: body?.replaceAll('/', '\\/') }),
  },
];

/** A JSON string, or a number. */
const jsonStringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Sorts the keys, and keeps the numbers as they were sent, which `JSON.parse` loses. */
function withSentNumbers(bodyText: string): string {
  const numbers: string[] = [];
  const marked = bodyText.replace(jsonStringOrNumber, (token) =>
    token.startsWith('"') ? token : JSON.stringify(`${numberMark}${numbers.push(token) - 1}`),
  );
  return canonicalJson(JSON.parse(marked)).replace(markedNumber, (_mark, index) => numbers[index] ?? '');
}

/** No text of a real body begins with it. */
const numberMark = '\u0000number ';
const markedNumber = /"\\u0000number (\d+)"/g;

/** A JSON string, or a character after which some serializers put a space. */
const jsonToken = /"(?:[^"\\]|\\.)*"|[,:]/g;
const spacedOut: Readonly<Record<string, string>> = { ',': ', ', ':': ': ' };

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function sortOutermost(text: string | undefined): string | undefined {
  if (!text?.trimStart().startsWith('{')) return text;
  const entries = Object.entries(JSON.parse(text) as object);
  return JSON.stringify(Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1))));
}
