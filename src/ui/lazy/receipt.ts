/** A receipt on a page of its own. All of it is text. */
export type Paper = {
  readonly title: string;
  readonly shop: string;
  readonly lines: readonly (readonly [label: string, value: string])[];
  readonly fileName: string;
  readonly lang: string;
  readonly dir: string;
};

const css = `
  body { max-width: 32em; margin: 2em auto; padding: 0 1em; color: #000; background: #fff; font: 16px/1.5 system-ui, sans-serif }
  h1 { font-size: 1.5em; margin: 0 }
  dl { border-top: 1px solid #888 }
  div { display: flex; justify-content: space-between; gap: 1em; padding: .5em 0; border-bottom: 1px solid #ccc }
  dd { margin: 0; font-weight: 600; text-align: end }
`;

/**
 * Prints it alone, without the page around the checkout. False where no browser has said that it prints; rejects where one
 * cannot: not every browser of a phone has `print`.
 */
export function printPaper(paper: Paper): Promise<boolean> {
  const frame = document.createElement('iframe');
  // Not `hidden`: some browsers print nothing then.
  Object.assign(frame.style, { position: 'fixed', width: '0', height: '0', border: '0', opacity: '0' });
  frame.tabIndex = -1;
  frame.ariaHidden = 'true';
  return new Promise((resolve, reject) => {
    frame.addEventListener('load', () => {
      try {
        printIn(frame, paper, resolve);
      } catch (error) {
        frame.remove();
        reject(error);
      }
    });
    document.body.append(frame);
  });
}

function printIn(frame: HTMLIFrameElement, paper: Paper, tell: (isPrinting: boolean) => void): void {
  const { contentDocument: sheet, contentWindow: view } = frame;
  if (!sheet || !view || sheet.body.firstChild) return;
  write(sheet, paper);
  addStyles(sheet, view as Window & typeof globalThis);
  // Browsers that go on while the dialog is open still need what it shows.
  view.addEventListener('afterprint', () => setTimeout(() => frame.remove()));
  view.addEventListener('beforeprint', () => tell(true));
  view.focus();
  view.print();
  tell(false);
}

/** Saves it as a file that any browser shows, and prints. False in a frame: it may not be allowed to, and nobody says so. */
export function savePaper(paper: Paper): boolean {
  const sheet = document.implementation.createHTMLDocument();
  write(sheet, paper);
  // The styles as text: as an element they would be held against the content security policy of this page.
  const head = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${css}</style>`;
  const html = head + sheet.documentElement.outerHTML;
  const url = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
  Object.assign(document.createElement('a'), { href: url, download: paper.fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return self === top;
}

/** Elements and text only: nothing that comes from anywhere is read as HTML. */
function write(sheet: Document, { title, shop, lines, lang, dir }: Paper): void {
  const make = (name: string, ...children: (Node | string)[]): HTMLElement => {
    const element = sheet.createElement(name);
    element.append(...children);
    return element;
  };
  sheet.title = [title, shop].filter(Boolean).join(' – ');
  Object.assign(sheet.documentElement, { lang, dir });
  sheet.body.append(
    make('h1', title),
    make('p', shop),
    make(
      'dl',
      ...lines.map(([label, value]) => make('div', make('dt', label), make('dd', make('bdi', value)))),
    ),
  );
}

/** Constructed where that is possible: a strict content security policy lets no style element do anything. */
function addStyles(sheet: Document, view: Window & typeof globalThis): void {
  try {
    const styles = new view.CSSStyleSheet();
    styles.replaceSync(css);
    sheet.adoptedStyleSheets = [styles];
  } catch {
    sheet.head.append(Object.assign(sheet.createElement('style'), { textContent: css }));
  }
}
