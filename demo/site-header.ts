/** The documentation is built beside the hosted demo only. */
export const quickStartLink = (isHosted: boolean): string =>
  isHosted ? '<a href="./docs/guide/quick-start.html">Quick start</a>.' : '';

/**
 * The header of every page of the demo. Addresses are relative, because the demo may be in a folder of its host.
 *
 * @param hasSandbox whether to link its pages; a page that learns it later hides the links
 */
export const siteHeader = (isHosted: boolean, hasSandbox = true): string => `<header class="site-header">
      <a class="wordmark" href="./">transfer-checkout</a>
      <nav aria-label="Demo">${isHosted ? '\n        <a href="./docs/">Documentation</a>' : ''}
        <a href="./gallery.html">All screens</a>
        <a href="./look.html">Change the look</a>
        <a href="./script-tag.html">Script tag</a>
        <a href="./rendered.html">Server-rendered</a>
        <a href="./panel.html" data-needs="sandbox"${hasSandbox ? '' : ' hidden'}>Control panel</a>
      </nav>
    </header>`;
