import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Receipt } from '../../src/widget/description/receipt-lines.ts';
import { fileNameOf, printReceipt } from '../../src/widget/lazy/receipt.ts';
import { wrapText } from '../../src/widget/lazy/receipt-image.ts';

const paper: Receipt = {
  title: 'Receipt',
  shop: 'Kola’s Bookshop',
  mark: '',
  lines: [['Received', '₦12,500.00']],
  number: '1001',
  lang: 'en',
  dir: 'ltr',
};

/** Makes the next frame print like this, on this sheet: this DOM loads no frames. */
function framePrints(
  print: ((view: EventTarget) => void) | undefined,
  sheet: Document | null = document.implementation.createHTMLDocument(),
): void {
  const view = Object.assign(new EventTarget(), { focus: () => {}, print: print && (() => print(view)) });
  const frame = Object.assign(document.createElement('div'), { contentDocument: sheet, contentWindow: view });
  vi.spyOn(document, 'createElement').mockReturnValueOnce(frame);
}

/** Prints as a browser does, which loads a frame once it is on the page. */
function print(): Promise<boolean> {
  const printing = printReceipt(paper);
  document.body.lastChild?.dispatchEvent(new Event('load'));
  return printing;
}

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

describe('printing a receipt', () => {
  it('succeeds when the browser confirms it', async () => {
    framePrints((view) => view.dispatchEvent(new Event('beforeprint')));
    expect(await print()).toBe(true);
  });

  it('is uncertain when the browser does not confirm it', async () => {
    framePrints(() => {});
    expect(await print()).toBe(false);
  });

  it('fails in a browser that cannot print, and leaves no frame behind', async () => {
    framePrints(undefined);
    await expect(print()).rejects.toThrow('print');
    expect(document.body.children).toHaveLength(0);
  });

  it('fails in a frame that the page cannot access, and leaves no frame behind', async () => {
    framePrints(() => {}, null);
    await expect(print()).rejects.toThrow('print');
    expect(document.body.children).toHaveLength(0);
  });
});

describe('the file of a receipt', () => {
  it('has a name that people understand and file systems accept', () => {
    expect(fileNameOf(paper)).toBe('Receipt Kola’s Bookshop 1001');
    const strange = { ...paper, shop: 'A/B: "C"\u202e\n?', number: '..\\1001' };
    expect(fileNameOf(strange)).toBe('Receipt A B C .. 1001');
    expect(fileNameOf({ ...paper, shop: 'Ọjà Adé' })).toBe('Receipt Ọjà Adé 1001');
    expect(fileNameOf({ ...paper, shop: 'S'.repeat(300) })).toMatch(/S 1001$/);
  });
});

describe('the text of a drawn receipt', () => {
  const wrap = (text: string): readonly string[] => wrapText(text, 8, ({ length }) => length);

  it('breaks between words, and within a word that is too long', () => {
    expect(wrap('Kola Brothers Shop')).toEqual(['Kola', 'Brothers', 'Shop']);
    expect(wrap('order-1001-abcdef ok')).toEqual(['order-10', '01-abcde', 'f ok']);
  });
});
