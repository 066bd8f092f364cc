import { demoPages } from '../server-kit/tools/sandbox/pages/panel/route.ts';

/**
 * The header of every page of the demo. Addresses are relative, because the demo may be in a folder of its host.
 *
 * @param current the address of the page itself
 * @param hasSandbox whether to link its pages; a page that learns it later hides the links
 */
export const siteHeader = (current = '', hasSandbox = true): string => `<header class="site-header">
      <a class="wordmark" href="./">transfer-checkout</a>
      <nav aria-label="Site">
        ${Object.entries(demoPages)
          .map(([href, text]) => linkTo(href, text, href === current, hasSandbox))
          .join('\n        ')}
      </nav>
    </header>`;

function linkTo(href: string, text: string, isCurrent: boolean, hasSandbox: boolean): string {
  const needs = href.includes('panel') ? ` data-needs="sandbox"${hasSandbox ? '' : ' hidden'}` : '';
  return `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}${needs}>${text}</a>`;
}
