import { afterEach, describe, expect, it, vi } from 'vitest';
import { printReceipt, type Receipt } from '../../src/ui/lazy/receipt.ts';

const paper: Receipt = {
  title: 'Receipt',
  shop: 'Kola’s Bookshop',
  lines: [['Received', 'NGN 12,500.00']],
  fileName: 'order-1001-1.html',
  lang: 'en',
  dir: 'ltr',
};

/** The next frame is one whose page prints like this: this DOM loads none. */
function framePrints(print: ((view: EventTarget) => void) | undefined): void {
  const view = Object.assign(new EventTarget(), { focus: () => {}, print: print && (() => print(view)) });
  const sheet = document.implementation.createHTMLDocument();
  const frame = Object.assign(document.createElement('div'), { contentDocument: sheet, contentWindow: view });
  vi.spyOn(document, 'createElement').mockReturnValueOnce(frame);
}

/** Prints as a browser does, which loads a frame as soon as it is on the page. */
function print(): Promise<boolean> {
  const printing = printReceipt(paper);
  document.body.lastChild?.dispatchEvent(new Event('load'));
  return printing;
}

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

describe('a receipt on paper', () => {
  it('is printed where the browser says that it prints', async () => {
    framePrints((view) => view.dispatchEvent(new Event('beforeprint')));
    expect(await print()).toBe(true);
  });

  it('may not be printed where the browser says nothing', async () => {
    framePrints(() => {});
    expect(await print()).toBe(false);
  });

  it('is refused where the browser cannot print, and leaves no frame behind', async () => {
    framePrints(undefined);
    await expect(print()).rejects.toThrow('print');
    expect(document.body.children).toHaveLength(0);
  });
});
