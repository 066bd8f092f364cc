type Rgb = readonly [red: number, green: number, blue: number];

/** Returns a canvas of one pixel, which understands every colour that the browser does. */
function createPixel(): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  return canvas.getContext('2d', { willReadFrequently: true });
}

function paint(pixel: CanvasRenderingContext2D, color: string, opacity = 1): void {
  pixel.globalAlpha = opacity;
  pixel.fillStyle = color;
  pixel.fillRect(0, 0, 1, 1);
}

function read(pixel: CanvasRenderingContext2D): Rgb {
  const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** Converts a colour to `#rrggbb`, the only form that a colour picker takes; undefined where there is no canvas. */
export function toHex(color: string): string | undefined {
  const pixel = createPixel();
  if (!pixel) return undefined;
  paint(pixel, color);
  return `#${read(pixel)
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')}`;
}

export type Contrast = {
  readonly text: string;
  readonly ratio: number;
  /** 4.5 for text, 3 for a bar on its track. */
  readonly needed: number;
};

/** Returns the visible text or bar whose WCAG contrast is furthest below what it needs, or least above; undefined where there is no canvas. */
export function findLowestContrast(root: ShadowRoot): Contrast | undefined {
  const pixel = createPixel();
  if (!pixel) return undefined;
  const contrasts = [...root.querySelectorAll<HTMLElement>('.card *')]
    .filter((element) => hasOwnText(element) && isVisible(element))
    .map((element) => {
      const ratio = contrastOf(element, getComputedStyle(element).color, pixel);
      return { text: `${element.textContent}`.trim(), ratio, needed: 4.5 };
    });
  const bars = [...root.querySelectorAll('progress')].map((bar) => ({
    text: 'The bar of what has arrived',
    ratio: contrastOf(bar, getComputedStyle(bar).accentColor, pixel),
    needed: 3,
  }));
  return [...contrasts, ...bars].sort((one, other) => one.ratio / one.needed - other.ratio / other.needed)[0];
}

const hasOwnText = ({ childNodes }: Element): boolean =>
  [...childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim());

/** Text for screen readers is clipped. */
const isVisible = (element: Element): boolean =>
  element.getClientRects().length > 0 && getComputedStyle(element).clipPath === 'none';

function contrastOf(element: Element, color: string, pixel: CanvasRenderingContext2D): number {
  const grounds: string[] = [];
  let opacity = 1;
  for (let current: Element | null = element; current; current = parentOf(current)) {
    const style = getComputedStyle(current);
    grounds.unshift(style.backgroundColor);
    opacity *= Number(style.opacity);
  }
  paint(pixel, '#fff');
  for (const ground of grounds) paint(pixel, ground);
  const below = luminanceOf(read(pixel));
  paint(pixel, color, opacity);
  const above = luminanceOf(read(pixel));
  return (Math.max(above, below) + 0.05) / (Math.min(above, below) + 0.05);
}

/** The parent as it is rendered, out of a shadow root. */
const parentOf = (element: Element): Element | null =>
  element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
