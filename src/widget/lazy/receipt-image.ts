import type { Receipt } from '../description/receipt-lines.ts';

/** Pixels: messengers show a picture of this width sharply on a phone. */
const width = 1080;
const margin = 72;
const lineHeight = 1.4;

type Style = { readonly size: number; readonly weight: number; readonly color: string; readonly gap: number };
const styles = {
  title: { size: 64, weight: 700, color: '#000', gap: 0 },
  shop: { size: 44, weight: 400, color: '#000', gap: 0 },
  mark: { size: 44, weight: 700, color: '#b00020', gap: 24 },
  label: { size: 34, weight: 400, color: '#555', gap: 28 },
  value: { size: 44, weight: 600, color: '#000', gap: 0 },
} as const satisfies { readonly [name: string]: Style };

type Block = { readonly style: Style; readonly lines: readonly string[] };

/** Draws a receipt as a PNG image. Returns undefined in a browser that has no canvas, or that does not let pages read it. */
export async function drawReceipt(receipt: Receipt): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext?.('2d');
  if (!context) return undefined;
  const blocks = toBlocks(receipt, context);
  canvas.width = width;
  // Changing the size resets everything else of the context.
  canvas.height = Math.ceil(2 * margin + blocks.reduce((sum, block) => sum + heightOf(block), 0));
  drawBlocks(blocks, context, receipt.dir === 'rtl');
  if (!isReadable(context)) return undefined;
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined)));
}

function toBlocks(
  { title, shop, mark, lines }: Receipt,
  context: CanvasRenderingContext2D,
): readonly Block[] {
  const texts: readonly (readonly [Style, string])[] = [
    [styles.title, title],
    [styles.shop, shop],
    [styles.mark, mark],
    ...lines.flatMap(([label, value]) => [[styles.label, label] as const, [styles.value, value] as const]),
  ];
  return texts
    .filter(([, text]) => text)
    .map(([style, text]) => {
      context.font = fontOf(style);
      return { style, lines: wrapText(text, width - 2 * margin, (part) => context.measureText(part).width) };
    });
}

const fontOf = ({ size, weight }: Style): string => `${weight} ${size}px system-ui, sans-serif`;
const heightOf = ({ style, lines }: Block): number => style.gap + lines.length * style.size * lineHeight;

/** Breaks a text into lines of at most `maxWidth`: between words, or within a word that is wider alone. */
export function wrapText(
  text: string,
  maxWidth: number,
  measure: (text: string) => number,
): readonly string[] {
  const lines = [''];
  for (const part of text.match(/\S+\s*/g) ?? []) {
    if (measure(lines.at(-1) + part.trimEnd()) > maxWidth && lines.at(-1)) lines.push('');
    for (const character of part) {
      if (measure(lines.at(-1) + character.trimEnd()) > maxWidth) lines.push('');
      lines[lines.length - 1] += character;
    }
  }
  return lines.map((line) => line.trim());
}

function drawBlocks(blocks: readonly Block[], context: CanvasRenderingContext2D, isRtl: boolean): void {
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, context.canvas.height);
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, 12);
  context.direction = isRtl ? 'rtl' : 'ltr';
  context.textBaseline = 'middle';
  let y = margin;
  for (const { style, lines } of blocks) {
    context.font = fontOf(style);
    context.fillStyle = style.color;
    y += style.gap;
    for (const line of lines) {
      // Isolated, as in a `bdi`: a Latin value keeps its order in a right-to-left receipt.
      context.fillText(
        `\u2068${line}\u2069`,
        isRtl ? width - margin : margin,
        y + (style.size * lineHeight) / 2,
      );
      y += style.size * lineHeight;
    }
  }
}

/** Browsers that resist fingerprinting return noise: checks the black bar at the top and the white below it. */
function isReadable(context: CanvasRenderingContext2D): boolean {
  const red = (y: number): number | undefined => context.getImageData(0, y, 1, 1).data[0];
  return red(4) === 0 && red(30) === 255;
}
