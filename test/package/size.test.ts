import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../setup/demo-process.ts';

const dist = join(projectFolder, 'dist');
const read = (file: string): string => readFileSync(join(dist, file), 'utf8');
const brotliSize = (file: string): number => brotliCompressSync(read(file)).length;

/** The files that `file` imports while it loads. Its chunks write `await import(…)` for that. */
function staticImports(file: string): string[] {
  return [
    ...read(file).matchAll(/(?:from|^import|[;}]import|\bawait import\()\s*["'`]\.\/([^"'`]+)["'`]/g),
  ].map(([, name = '']) => name);
}

function withStaticImports(file: string): string[] {
  return [file, ...staticImports(file).flatMap(withStaticImports)];
}

/** The script tag's own file, and the widget that it loads. The rest comes when the number is on the screen. */
const [widget = 'no widget'] = /checkout-widget-[\w-]+\.js/.exec(read('checkout.js')) ?? [];
const beforeTheNumberShows = [...new Set(['checkout.js', ...withStaticImports(widget)])];
const total = beforeTheNumberShows.map(brotliSize).reduce((sum, size) => sum + size, 0);

describe('the script tag', () => {
  it('loads 14 KB brotli or less before the account number shows', () => {
    console.log(
      `${beforeTheNumberShows.map((file) => `${file} ${brotliSize(file)}`).join(', ')}: ${total} bytes brotli`,
    );
    expect(total).toBeLessThanOrEqual(14 * 1024);
  });

  it('is a classic script: nothing is imported or exported at its top', () => {
    expect(staticImports('checkout.js')).toEqual([]);
    expect(() => new Function(read('checkout.js'))).not.toThrow();
  });

  it('is plain ASCII: a classic script is read in the encoding of its page', () => {
    expect(read('checkout.js')).not.toMatch(/[\u0080-\uffff]/);
  });

  it('waits for no file but the widget, and what comes later for none but the widget', () => {
    const chunks = readdirSync(dist).filter((file) => /^checkout-[\w-]+\.js$/.test(file));
    const waits = chunks.filter((file) => !file.startsWith('checkout-show-dedicated-account-'));
    expect(waits.length).toBeGreaterThan(10);
    expect(staticImports(widget)).toEqual([]);
    for (const file of waits) expect([[], [widget]], file).toContainEqual(staticImports(file));
  });

  it('waits for nothing on a page where nobody has asked for a checkout', () => {
    const [prepare = 'none'] = readdirSync(dist).filter((file) => file.startsWith('checkout-prepare-'));
    expect(staticImports(prepare)).toEqual([]);
  });

  it('keeps the QR code in a chunk of its own', () => {
    expect(beforeTheNumberShows.filter((file) => file.startsWith('checkout-draw-qr-code-'))).toEqual([]);
    expect(
      readdirSync(dist).filter((file) => /^checkout-draw-qr-code-[\w-]{8}\.js$/.test(file)).length,
    ).toBeGreaterThan(0);
  });

  it('has immutable names for all it loads', () => {
    for (const file of beforeTheNumberShows.slice(1)) expect(file).toMatch(/-[\w-]{8}\.js$/);
  });
});

describe('README.md', () => {
  it('states the size that was measured, within a tenth of a kilobyte', () => {
    const stated = /\*\*(\d+\.\d) KB\*\* brotli/.exec(
      readFileSync(join(projectFolder, 'README.md'), 'utf8'),
    )?.[1];
    expect(Math.abs(Number(stated) - total / 1024)).toBeLessThanOrEqual(0.1);
  });
});
