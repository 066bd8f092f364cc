/** `document`, safe from its markup: an `<img name="body">` of the page would take the place of `document.body`. */
export const pageDocument = /* @__PURE__ */ new Proxy({} as Document, {
  get(_, name) {
    const value: unknown = Reflect.get(Document.prototype, name, document);
    return typeof value === 'function' ? value.bind(document) : value;
  },
});

/** Returns the element around an event that a selector matches. A form whose field is named `closest` has no such function. */
export const closestTarget = ({ target }: Event, selector: string): HTMLElement | null =>
  target instanceof Element ? Reflect.apply(Element.prototype.closest, target, [selector]) : null;

/** Returns the page's base for relative URLs. Ignores a `<base>` of another origin, which injected markup could add. */
export function pageBase(): string {
  const { origin, href } = location;
  const base = pageDocument.baseURI;
  // A `srcdoc` frame has no origin in its address; its base is that of the page around it.
  return origin === 'null' || new URL(base).origin === origin ? base : href;
}

export const isPrerendered = (): boolean =>
  (pageDocument as { readonly prerendering?: unknown }).prerendering === true;

export function whenVisited(callback: () => void): void {
  if (isPrerendered()) pageDocument.addEventListener('prerenderingchange', callback, { once: true });
  else callback();
}

export const readReference = (): string | undefined =>
  new URLSearchParams(location.search).get('reference') ?? undefined;

export function preferredLanguagesOf(element: Element): readonly string[] {
  const pageLanguage = element.closest<HTMLElement>('[lang]')?.lang;
  return [pageLanguage, ...(navigator.languages ?? [])].filter(Boolean) as string[];
}

/** Calls `callback` once the browser is idle; never when the reader saves data. Returns a function that cancels the call. */
export function whenIdle(callback: () => void): () => void {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (connection?.saveData) return () => {};
  // Safari has no idle callbacks.
  const [request, cancel] = self.requestIdleCallback
    ? [self.requestIdleCallback, self.cancelIdleCallback]
    : [self.setTimeout, self.clearTimeout];
  const id = request(callback);
  return () => cancel(id);
}

export function addStyles(root: ShadowRoot, css: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    root.appendChild(pageDocument.createElement('style')).textContent = css;
  }
}
