/** The label of a merchant's button. */
export type ButtonLabel = {
  /** Shows a text in place of the button's own, which returns with an empty text. */
  readonly show: (text: string, lang: string) => void;
};

/**
 * Replaces the text of a button in place: its icons stay, and no node is added or removed, because a framework may own them. A text
 * that the page has written meanwhile stays, too.
 */
export function createButtonLabel(button: Element): ButtonLabel {
  let restores: readonly (() => void)[] = [];

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

  return {
    show(text, lang) {
      for (const restore of restores) restore();
      restores = [];
      if (!text) return;
      restores = [
        writeAttribute('lang', lang),
        ...(button.hasAttribute('aria-label') ? [writeAttribute('aria-label', text)] : []),
        ...textNodesOf(button).map((node, index) => writeText(node, index === 0 ? text : '')),
      ];
    },
  };
}

/** The button's texts, without the titles of its drawings. */
function textNodesOf(button: Element): Node[] {
  const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  const nodes: Node[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.nodeValue?.trim() && node.parentElement instanceof HTMLElement) nodes.push(node);
  }
  return nodes;
}
