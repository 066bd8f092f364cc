/**
 * True where the page pins files by their integrity, in an import map. A file that fails there is not asked for at another address, which
 * the map would not know.
 */
export const isPinned = (): boolean =>
  [...document.querySelectorAll('script[type=importmap]')].some(({ textContent }) =>
    /"integrity"\s*:/.test(`${textContent}`),
  );
