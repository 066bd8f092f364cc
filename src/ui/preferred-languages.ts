/** The languages that the reader of an element likes, best first: the page's own before the browser's. */
export function likedLanguages(element: Element): readonly string[] {
  const ofPage = element.closest<HTMLElement>('[lang]')?.lang;
  return [ofPage, ...(navigator.languages ?? [])].filter(Boolean) as string[];
}
