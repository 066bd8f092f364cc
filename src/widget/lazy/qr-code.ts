import { create } from 'qrcode';

const quietZone = 4;
/** Sharp at the size of the styles, on phones as well. */
const pixelsPerModule = 8;

/** Returns a function that draws a QR code, on a canvas, whose colours no browser changes. @throws {Error} for a text that is too long */
export function createQrCode(text: string): (canvas: HTMLCanvasElement) => void {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const width = size + 2 * quietZone;
  return (canvas) => {
    canvas.width = canvas.height = width * pixelsPerModule;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The browser provides no canvas to draw on.');
    context.scale(pixelsPerModule, pixelsPerModule);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, width);
    context.fillStyle = '#000';
    for (const [index, isDark] of data.entries()) {
      if (isDark) context.fillRect(quietZone + (index % size), quietZone + Math.floor(index / size), 1, 1);
    }
  };
}
