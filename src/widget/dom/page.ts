/**
 * Reads a property of the document itself: `document.body` would be `<img name="body">` where the page's markup contains one, and so
 * for every name.
 */
export const readDocument = <Name extends keyof Document>(name: Name): Document[Name] =>
  Reflect.get(Document.prototype, name, document);

/**
 * Returns the URL to which relative ones belong: the page's base, as for its links, except that a `<base>` of another origin is
 * ignored. Injected markup could otherwise send requests and shoppers there.
 */
export function pageBase(): string {
  const { origin, href } = location;
  const base = readDocument('baseURI');
  // A `srcdoc` frame has no origin in its address; its base is that of the page around it.
  return origin === 'null' || new URL(base).origin === origin ? base : href;
}

/** Returns the payment that the page's address names by `?reference=`. */
export const readReference = (): string | undefined =>
  new URLSearchParams(location.search).get('reference') ?? undefined;

/** Returns the languages of an element's reader, best first: the page's own, then the browser's. */
export function preferredLanguagesOf(element: Element): readonly string[] {
  const pageLanguage = element.closest<HTMLElement>('[lang]')?.lang;
  return [pageLanguage, ...(navigator.languages ?? [])].filter(Boolean) as string[];
}
