/**
 * The part of Preact that the views use, in our own few lines: what the script tag loads in its place, a quarter of its weight.
 * Components are functions of their properties; there are no hooks, no classes and no state. Elements are found
 * again by their places among their siblings, by their keys, and by the components that they come from.
 */

type Props = Readonly<Record<string, unknown>>;
type Component = (props: never) => unknown;
type Node = { readonly type: string | Component; readonly props: Props; readonly key: unknown };

/** What stands in a DOM node: under each place, what was drawn there. */
type Drawn = { readonly node: Node | string; readonly dom: ChildNode };
type Parent = ParentNode & globalThis.Node & { drawn?: Map<string, Drawn> };

export const jsx = (type: Node['type'], props: Props, key?: unknown): Node => ({ type, props, key });
export { jsx as h, jsx as jsxs };
export const Fragment = ({ children }: Props): unknown => children;

let componentCount = 0;
const numbers = new WeakMap<Component, number>();
const numberOf = (component: Component): number => {
  const number = numbers.get(component) ?? componentCount++;
  numbers.set(component, number);
  return number;
};

/** Draws into `parent`, over what was drawn there before. */
export function render(node: unknown, parent: Parent): void {
  const refs: (() => void)[] = [];
  drawChildren(parent, node, refs);
  // When everything is in its place: a reference may want to focus.
  for (const call of refs) call();
}

/** Calls components, and lists what is left, elements and texts, each under its place. */
function flatten(node: unknown, place: string, found: Map<string, Node | string>): void {
  if (node === null || node === undefined || typeof node === 'boolean') return;
  if (Array.isArray(node)) {
    node.forEach((child, index) => {
      flatten(child, `${place},${child?.key === undefined ? index : `=${child.key}`}`, found);
    });
  } else if (typeof node !== 'object') found.set(place, `${node}`);
  else {
    const { type, props } = node as Node;
    if (typeof type === 'string') found.set(place, node as Node);
    else flatten(type(props as never), `${place}:${numberOf(type)}`, found);
  }
}

function drawChildren(parent: Parent, children: unknown, refs: (() => void)[]): void {
  const wanted = new Map<string, Node | string>();
  flatten(children, '', wanted);
  const before = parent.drawn;
  const after = new Map<string, Drawn>();
  for (const [place, node] of wanted) {
    const old = before?.get(place);
    const isSame = old && kindOf(old.node) === kindOf(node);
    const dom = isSame ? old.dom : create(node, parent);
    draw(dom, node, isSame ? old.node : undefined, refs);
    after.set(place, { node, dom });
    if (isSame) before?.delete(place);
  }
  // What goes, goes first: nothing that stays has to be moved for it, and the focus stays where it is.
  for (const { dom } of before?.values() ?? []) dom.remove();
  let next = parent.firstChild;
  for (const { dom } of after.values()) {
    if (dom === next) next = next.nextSibling;
    else parent.insertBefore(dom, next);
  }
  parent.drawn = after;
}

const kindOf = (node: Node | string): unknown => (typeof node === 'string' ? 0 : node.type);

function create(node: Node | string, parent: Parent): ChildNode {
  if (typeof node === 'string') return document.createTextNode(node);
  const { namespaceURI } = parent as Element;
  const type = node.type as string;
  return document.createElementNS(
    type === 'svg' ? 'http://www.w3.org/2000/svg' : namespaceURI,
    type,
  ) as ChildNode;
}

function draw(
  dom: ChildNode,
  node: Node | string,
  old: Node | string | undefined,
  refs: (() => void)[],
): void {
  if (typeof node === 'string') {
    if (node !== old) dom.nodeValue = node;
    return;
  }
  const before = (old as Node | undefined)?.props ?? {};
  const { children, ref, ...props } = node.props;
  for (const name in { ...before, ...props }) {
    if (name !== 'children' && name !== 'ref' && before[name] !== props[name])
      set(dom as HTMLElement, name, props[name], before[name]);
  }
  if (ref && !old) refs.push(() => (ref as (dom: ChildNode) => void)(dom));
  drawChildren(dom as Parent & ChildNode, children, refs);
}

function set(dom: HTMLElement, name: string, value: unknown, before: unknown): void {
  if (name === 'style') {
    const styles = value as Record<string, string> | undefined;
    for (const property in { ...(before as typeof styles), ...styles })
      dom.style.setProperty(property, styles?.[property] ?? '');
  } else if (name.startsWith('on')) Reflect.set(dom, name.toLowerCase(), value ?? null);
  // `aria-` and `data-` attributes say something by "false", too.
  else if (value === null || value === undefined || (value === false && name[4] !== '-'))
    dom.removeAttribute(name);
  else dom.setAttribute(name, `${value}`);
}
