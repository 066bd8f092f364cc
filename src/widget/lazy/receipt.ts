import type { Receipt } from '../description/receipt-lines.ts';
import { drawReceipt } from './receipt-image.ts';

const css = `
  body { max-width: 32em; margin: 2em auto; padding: 0 1em; color: #000; background: #fff; font: 16px/1.5 system-ui, sans-serif }
  strong { padding: .25em .5em; border: 2px solid }
  h1 { font-size: 1.5em; margin: 0 }
  dl { border-top: 1px solid #888 }
  div { display: flex; justify-content: space-between; gap: 1em; padding: .5em 0; border-bottom: 1px solid #ccc }
  dd { margin: 0; font-weight: 600; text-align: end }
`;

/**
 * Prints a receipt without the page around the checkout. Resolves with false when the browser did not confirm that it prints;
 * rejects when it cannot: not every phone's browser has `print`.
 */
export function printReceipt(receipt: Receipt): Promise<boolean> {
  const frame = document.createElement('iframe');
  // Some browsers do not print a `hidden` frame.
  Object.assign(frame.style, { position: 'fixed', width: '0', height: '0', border: '0', opacity: '0' });
  frame.tabIndex = -1;
  frame.ariaHidden = 'true';
  return new Promise((resolve, reject) => {
    frame.addEventListener('load', () => {
      try {
        printIn(frame, receipt, resolve);
      } catch (error) {
        frame.remove();
        reject(error);
      }
    });
    document.body.append(frame);
  });
}

function printIn(frame: HTMLIFrameElement, receipt: Receipt, resolve: (isPrinted: boolean) => void): void {
  const { contentDocument: page, contentWindow: view } = frame;
  if (!page || !view) throw new Error('The browser gives no access to the frame to print.');
  // Some browsers load a frame twice.
  if (page.body.firstChild) return;
  writeReceipt(page, receipt);
  addStyles(page, view as Window & typeof globalThis);
  // Some browsers continue while the print dialog is open, and still need the frame.
  view.addEventListener('afterprint', () => setTimeout(() => frame.remove()));
  view.addEventListener('beforeprint', () => resolve(true));
  view.focus();
  view.print();
  resolve(false);
}

/**
 * Saves a receipt as an image, or as an HTML file where the browser draws none. Resolves with false in a frame, where the browser may
 * block the download without an error.
 */
export async function saveReceipt(receipt: Receipt): Promise<boolean> {
  const file = (await toImageFile(receipt)) ?? new File([toHtml(receipt)], `${fileNameOf(receipt)}.html`);
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return self === top;
}

/** Returns a receipt as an image to share; undefined where the browser draws none. */
export async function toImageFile(receipt: Receipt): Promise<File | undefined> {
  const image = await drawReceipt(receipt);
  return image && new File([image], `${fileNameOf(receipt)}.png`, { type: image.type });
}

/** Returns a file name that people understand, such as `Receipt Kola’s Bookshop 1001`, without the characters that systems refuse. */
export function fileNameOf({ title, shop, number }: Receipt): string {
  return `${title} ${shop.slice(0, 60)} ${number}`
    .replace(/[\\/:*?"<>|\p{C}\s]+/gu, ' ')
    .slice(0, 100)
    .trim();
}

function toHtml(receipt: Receipt): string {
  const page = document.implementation.createHTMLDocument();
  writeReceipt(page, receipt);
  // Styles as text: the page's content security policy would apply to a style element.
  const head = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${css}</style>`;
  return head + page.documentElement.outerHTML;
}

/** Writes a receipt as elements and text nodes, so that no value is parsed as HTML. */
function writeReceipt(page: Document, { title, shop, mark, lines, lang, dir }: Receipt): void {
  const make = (name: string, ...children: (Node | string)[]): HTMLElement => {
    const element = page.createElement(name);
    element.append(...children);
    return element;
  };
  page.title = [title, shop].filter(Boolean).join(' – ');
  Object.assign(page.documentElement, { lang, dir });
  page.body.append(
    make('h1', title),
    make('p', shop),
    ...(mark ? [make('strong', mark)] : []),
    make(
      'dl',
      ...lines.map(([label, value]) => make('div', make('dt', label), make('dd', make('bdi', value)))),
    ),
  );
}

/** Prefers a constructed style sheet: a strict content security policy blocks style elements. */
function addStyles(page: Document, view: Window & typeof globalThis): void {
  try {
    const styles = new view.CSSStyleSheet();
    styles.replaceSync(css);
    page.adoptedStyleSheets = [styles];
  } catch {
    page.head.append(Object.assign(page.createElement('style'), { textContent: css }));
  }
}
