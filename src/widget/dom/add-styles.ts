import { pageDocument } from './page.ts';

/** Adds styles to a shadow root: as a constructed style sheet, or as a style element in browsers without those. */
export function addStyles(root: ShadowRoot, css: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    root.appendChild(pageDocument.createElement('style')).textContent = css;
  }
}
