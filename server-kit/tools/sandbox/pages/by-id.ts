/** Returns the element with this id. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element with the id "${id}".`);
  return element;
}
