import { pageDocument } from '../dom/page.ts';

/** The label of a merchant's button. */
export type ButtonLabel = {
  /** Shows a text in place of the button's own, which returns with an empty text. */
  readonly show: (text: string, lang: string) => void;
};

/**
 * Replaces the text of a button in place: its icons stay, and no node is added or removed, because a framework may own them. If
 * the page writes over the label, that text is kept and the label ends; a text beside the label shows when the label ends.
 */
export function createButtonLabel(button: Element): ButtonLabel {
  let restores: readonly (() => void)[] = [];
  let observer: MutationObserver | undefined;

  const writeText = (node: Node, text: string): (() => void) => {
    const own = node.nodeValue;
    node.nodeValue = text;
    return () => {
      if (node.nodeValue === text) node.nodeValue = own;
    };
  };
  const writeAttribute = (name: string, value: string): (() => void) => {
    const own = button.getAttribute(name);
    button.setAttribute(name, value);
    return () => {
      if (button.getAttribute(name) !== value) return;
      if (own === null) button.removeAttribute(name);
      else button.setAttribute(name, own);
    };
  };

  const show = (text: string, lang: string): void => {
    observer?.disconnect();
    for (const restore of restores) restore();
    restores = [];
    if (!text) return;
    const nodes = textNodesOf(button);
    const [first] = nodes;
    restores = [
      writeAttribute('lang', lang),
      ...(button.hasAttribute('aria-label') ? [writeAttribute('aria-label', text)] : []),
      ...nodes.map((node, index) => writeText(node, index === 0 ? text : '')),
    ];
    // A framework that renders the button again writes only the nodes that have changed, such as the amount beside the label.
    observer = new MutationObserver(() => {
      const isCovered = first && !(first.isConnected && first.nodeValue === text);
      show(isCovered ? '' : text, lang);
    });
    observer.observe(button, { characterData: true, childList: true, subtree: true });
  };

  return { show };
}

/** The button's texts, without the titles of its drawings. */
function textNodesOf(button: Element): Node[] {
  const walker = pageDocument.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  const nodes: Node[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.nodeValue?.trim() && node.parentElement instanceof HTMLElement) nodes.push(node);
  }
  return nodes;
}
