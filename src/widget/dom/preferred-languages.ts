/** Returns the languages of an element's reader, best first: the page's own, then the browser's. */
export function preferredLanguagesOf(element: Element): readonly string[] {
  const pageLanguage = element.closest<HTMLElement>('[lang]')?.lang;
  return [pageLanguage, ...(navigator.languages ?? [])].filter(Boolean) as string[];
}
