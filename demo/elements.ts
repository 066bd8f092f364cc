/** Returns the element with this id. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element with the id "${id}".`);
  return element as Kind;
}

/** Sets the text of the elements of `root` with `data-part`. */
export function fillParts(root: ParentNode, texts: Readonly<Record<string, string>>): void {
  for (const [part, text] of Object.entries(texts)) {
    const element = root.querySelector(`[data-part="${part}"]`);
    if (element !== null) element.textContent = text;
  }
}
