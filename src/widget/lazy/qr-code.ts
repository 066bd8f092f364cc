import { create } from 'qrcode';

/** Returns a QR code as an SVG path of unit squares, `size` units wide without its quiet zone. */
export function drawQrCode(text: string): { size: number; path: string } {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const path = Array.from(data, (dark, index) =>
    dark ? `M${index % size} ${Math.floor(index / size)}h1v1h-1z` : '',
  ).join('');
  return { size, path };
}
