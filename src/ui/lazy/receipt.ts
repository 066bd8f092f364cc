/** A receipt as plain text. */
export type Receipt = {
  readonly title: string;
  readonly shop: string;
  /** "Test mode" where no real money moved; otherwise empty. */
  readonly mark: string;
  readonly lines: readonly (readonly [label: string, value: string])[];
  readonly fileName: string;
  readonly lang: string;
  readonly dir: string;
};

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
  if (!page || !view || page.body.firstChild) return;
  writeReceipt(page, receipt);
  addStyles(page, view as Window & typeof globalThis);
  // Some browsers continue while the print dialog is open, and still need the frame.
  view.addEventListener('afterprint', () => setTimeout(() => frame.remove()));
  view.addEventListener('beforeprint', () => resolve(true));
  view.focus();
  view.print();
  resolve(false);
}

/** Saves a receipt as an HTML file. Returns false in a frame, where the browser may block the download without an error. */
export function saveReceipt(receipt: Receipt): boolean {
  const page = document.implementation.createHTMLDocument();
  writeReceipt(page, receipt);
  // Styles as text: the page's content security policy would apply to a style element.
  const head = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${css}</style>`;
  const html = head + page.documentElement.outerHTML;
  const url = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
  Object.assign(document.createElement('a'), { href: url, download: receipt.fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return self === top;
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
