/** A key as files, shells and editors leave it: each with what is wrong. */
export const strayKeys = (key: string): [what: string, key: string][] => [
  ['a line end', `${key}\n`],
  ['a carriage return', `${key}\r`],
  ['a line end inside', `${key}\n${key}b`],
  ['a space before', ` ${key}`],
  ['a no-break space after', `${key}\u00a0`],
  ['a byte order mark', `\ufeff${key}`],
  ['a hidden space', `${key}\u200b`],
  ['double quotes', `"${key}"`],
  ['single quotes', `'${key}'`],
  ['typographic quotes', `\u201c${key}\u201d`],
];
