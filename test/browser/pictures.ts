import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
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

/** Returns a picture's size, and its colours at a quarter of it, where text smoothing makes no difference. */
async function shrink(picture: Buffer): Promise<{ size: string; colors: Buffer }> {
  const { width, height } = await sharp(picture).metadata();
  const options = { width: Math.ceil(width / 4), height: Math.ceil(height / 4), fit: 'fill' } as const;
  // In the same way whatever the format of its file.
  const small = sharp(picture).resize({ ...options, fastShrinkOnLoad: false });
  return { size: `${width} x ${height}`, colors: await small.removeAlpha().raw().toBuffer() };
}

/** Compares two pictures. Returns undefined where at most 12 points differ by more than a seventh of a colour's range. */
async function compare(ours: Buffer, theirs: Buffer): Promise<string | undefined> {
  const [one, other] = await Promise.all([shrink(ours), shrink(theirs)]);
  if (one.size !== other.size) return `${one.size}, not ${other.size}`;
  const differing = new Set<number>();
  for (const [at, color] of one.colors.entries())
    if (Math.abs(color - (other.colors[at] ?? 0)) > 36) differing.add(Math.floor(at / 3));
  return differing.size > 12 ? `${differing.size} points` : undefined;
}

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
  /** Writes a tenth of the screenshot's bytes. */
  const write = async (target: URL): Promise<void> =>
    writeFile(target, await sharp(png).webp({ quality: 80 }).toBuffer());
  if (isRenewed) {
    await write(new URL(file, folder));
    return undefined;
  }
  const difference = await compare(png, await readFile(new URL(file, folder)));
  if (difference === undefined) return undefined;
  await mkdir(differing, { recursive: true });
  await write(new URL(file, differing));
  return `${difference}: compare ${fileURLToPath(new URL(file, differing))} with ${fileURLToPath(folder)}`;
}

/** Says with which browser the pictures were taken, and which one this is. A headless shell and a whole Chromium differ. */
export async function nameBrowsers(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { product } = await session.send('Browser.getVersion');
  if (isRenewed) await writeFile(browserFile, `${product}\n`);
  const taken = (await readFile(browserFile, 'utf8')).trim();
  return `The pictures were taken with ${taken}. This is ${product}.`;
}
