/** Adds styles to a shadow root: as a constructed sheet, or as a style element where there are none of those. */
export function addStyles(root: ShadowRoot, css: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    root.appendChild(document.createElement('style')).textContent = css;
  }
}
