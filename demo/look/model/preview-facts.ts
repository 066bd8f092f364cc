import { type CssValueName, cssValueNames, cssValues } from './css-values.ts';
import { type Contrast, findLowestContrast, toHex } from './read-colors.ts';

/** What the rendered preview shows. */
export type PreviewFacts = {
  readonly contrast: Contrast | undefined;
  /** The colours in use, including a theme's defaults, as `#rrggbb`. */
  readonly colors: { readonly [name in CssValueName]?: string | undefined };
};

/** The card's own custom property for each colour that can be set. */
const cardProperties: { readonly [name in CssValueName]?: string } = {
  accent: '--fill',
  'on-accent': '--on',
  background: '--bg',
  text: '--text',
  line: '--line',
  success: '--fill',
  warning: '--warn',
};

/** Reads the colours and the contrast of the rendered checkout. */
export function readPreviewFacts(root: ShadowRoot): PreviewFacts | undefined {
  const card = root.querySelector('.card');
  if (!card) return undefined;
  const style = getComputedStyle(card);
  const colors = cssValueNames
    .filter((name) => cssValues[name].property === 'color')
    .map((name) => [name, toHex(style.getPropertyValue(cardProperties[name] ?? ''))]);
  return { contrast: findLowestContrast(root), colors: Object.fromEntries(colors) };
}
