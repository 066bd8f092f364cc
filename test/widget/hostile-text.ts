/** Markup, characters that turn what follows around, and as many letters. */
export const hostile = (name: string, letters = 10_000): string =>
  `${name}<x-hostile></x-hostile><img src="x" onerror="alert()">&lt;\u202e\u2067${'W'.repeat(letters)}`;
