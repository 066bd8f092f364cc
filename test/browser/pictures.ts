import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { stateNames } from '../core/views.ts';
import { findMachineGlyphs } from './machine-glyphs.ts';

const folder = new URL('pictures/', import.meta.url);
/** The browser with which they were taken. */
const browserFile = new URL('browser.txt', folder);
const isRenewed = process.env.RENEW_PICTURES !== undefined;
/** Where pictures that differ are saved for review. */
const differing = new URL('../../build/pictures/', import.meta.url);

/** How a screen is shown for its picture. Default: 360 px wide. */
export type Picture = {
  readonly name: string;
  readonly theme?: string;
  readonly locale?: string;
  readonly width?: number;
};

export const pictures: readonly Picture[] = [
  ...stateNames.map((name) => ({ name })),
  { name: 'awaitingTransfer-everything' },
  { name: 'awaitingTransfer-offline' },
  { name: 'awaitingTransfer-leaving' },
  { name: 'awaitingTransfer-qr' },
  ...['timeIsUp', 'lost', 'ussd', 'pressToCopy'].map((name) => ({ name: `awaitingTransfer-${name}` })),
  { name: 'checking-unclear' },
  { name: 'checking-notFound-test' },
  { name: 'expired-replaced' },
  { name: 'failed-amountMismatch' },
  { name: 'succeeded-overpaid' },
  { name: 'succeeded-paidTwice' },
  { name: 'receivedLate-paidTwice' },
  { name: 'awaitingTransfer-earlierMoney' },
  { name: 'awaitingTransfer-long', width: 320 },
  ...['awaitingTransfer', 'expired', 'succeeded', 'succeeded-paidTwice'].map((name) => ({
    name,
    theme: 'dark',
  })),
  ...['awaitingTransfer', 'expired-leaving', 'succeeded'].map((name) => ({ name, locale: 'ar' })),
  { name: 'awaitingTransfer', width: 1280 },
  ...['awaitingTransfer', 'succeeded'].map((name) => ({ name, theme: 'dark', locale: 'ar', width: 1280 })),
];

type Difference = { readonly size: string; readonly points: number };

/**
 * Compares two pictures at a quarter of their size, where text smoothing makes no difference. `points` counts the points that differ by
 * more than a fifth of a colour's range.
 */
const compare = (page: Page, ours: Buffer, theirs: Buffer): Promise<Difference> =>
  page.evaluate(
    async (pair) => {
      const quarters = await Promise.all(
        pair.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes]));
          const [width, height] = [Math.ceil(image.width / 4), Math.ceil(image.height / 4)];
          const context = new OffscreenCanvas(width, height).getContext('2d');
          if (!context) throw new Error('This browser has no canvas.');
          context.imageSmoothingQuality = 'high';
          context.drawImage(image, 0, 0, width, height);
          return {
            size: `${image.width} x ${image.height}`,
            data: context.getImageData(0, 0, width, height).data,
          };
        }),
      );
      const [one, other] = quarters;
      if (!one || !other || one.size !== other.size)
        return { size: quarters.map(({ size }) => size).join(', not '), points: 0 };
      let points = 0;
      for (let at = 0; at < one.data.length; at += 4) {
        const by = [0, 1, 2].map((part) =>
          Math.abs((one.data[at + part] ?? 0) - (other.data[at + part] ?? 0)),
        );
        if (Math.max(...by) > 51) points++;
      }
      return { size: 'same', points };
    },
    [ours.toString('base64'), theirs.toString('base64')],
  );

/** Encodes a picture with a tenth of a screenshot's bytes. */
const toWebp = async (page: Page, png: Buffer): Promise<Buffer> => {
  const base64 = await page.evaluate(async (given) => {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob(given), (letter) => letter.charCodeAt(0))]),
    );
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
  }, png.toString('base64'));
  return Buffer.from(base64, 'base64');
};

/** `awaitingTransfer-dark-1280` */
export const nameOf = ({ name, width = 360, ...look }: Picture): string =>
  [name, ...Object.values(look), ...(width === 360 ? [] : [width])].join('-');

/**
 * Compares the page with its reviewed picture. Returns the difference and both paths, or undefined when they are equal. A glyph in a font
 * of this machine is a difference, too: other machines draw another.
 */
export async function findDifference(page: Page, picture: Picture): Promise<string | undefined> {
  const glyphs = await findMachineGlyphs(page);
  if (glyphs.length > 0) return `not in the test font: ${glyphs.join(', ')}`;
  const file = `${nameOf(picture)}.webp`;
  const png = await page.screenshot({ fullPage: true, animations: 'disabled' });
  if (isRenewed) {
    await writeFile(new URL(file, folder), await toWebp(page, png));
    return undefined;
  }
  const { size, points } = await compare(page, png, await readFile(new URL(file, folder)));
  if (size === 'same' && points <= 12) return undefined;
  await mkdir(differing, { recursive: true });
  await writeFile(new URL(file, differing), await toWebp(page, png));
  return `${size}, ${points} points: compare ${fileURLToPath(new URL(file, differing))} with ${fileURLToPath(folder)}`;
}

/** Says with which browser the pictures were taken, and which one this is. A headless shell and a whole Chromium differ. */
export async function nameBrowsers(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { product } = await session.send('Browser.getVersion');
  if (isRenewed) await writeFile(browserFile, `${product}\n`);
  const taken = (await readFile(browserFile, 'utf8')).trim();
  return `The pictures were taken with ${taken}. This is ${product}.`;
}
