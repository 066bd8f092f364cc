import { afterEach, describe, expect, it, vi } from 'vitest';
import { printReceipt, type Receipt } from '../../src/ui/lazy/receipt.ts';

const paper: Receipt = {
  title: 'Receipt',
  shop: 'Kola’s Bookshop',
  mark: '',
  lines: [['Received', 'NGN 12,500.00']],
  fileName: 'order-1001-1.html',
  lang: 'en',
  dir: 'ltr',
};

/** Makes the next frame print like this: this DOM loads no frames. */
function framePrints(print: ((view: EventTarget) => void) | undefined): void {
  const view = Object.assign(new EventTarget(), { focus: () => {}, print: print && (() => print(view)) });
  const sheet = document.implementation.createHTMLDocument();
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
});
