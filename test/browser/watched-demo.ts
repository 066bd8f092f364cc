import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveUntilClosed } from '../server-kit/kit/serve.ts';

declare global {
  interface Window {
    /** Functions that a watched demo adds to its pages. */
    watched: {
      /** Script errors, failed files, and violations of the content security policy. */
      readonly complaints: string[];
      /** The first element for a selector, also in shadow roots. */
      readonly find: (selector: string) => Element | null;
    };
  }
}

/** Runs in the page, before all other scripts. */
function watch(): void {
  const complaints: string[] = [];
  // Markup may give its names to those of the document.
  const allIn = (root: Document | ShadowRoot, selector: string): Element[] => {
    const { querySelectorAll } = root === document ? Document.prototype : DocumentFragment.prototype;
    return [...Reflect.apply(querySelectorAll, root, [selector])];
  };
  const findIn = (root: Document | ShadowRoot, selector: string): Element | null => {
    const [own] = allIn(root, selector);
    if (own) return own;
    for (const { shadowRoot } of allIn(root, '*')) {
      const inner = shadowRoot instanceof ShadowRoot && findIn(shadowRoot, selector);
      if (inner) return inner;
    }
    return null;
  };
  window.watched = { complaints, find: (selector) => findIn(document, selector) };
  const reasonOf = (event: Event): string => {
    if (event instanceof ErrorEvent) return event.message;
    return event.target instanceof Element ? `not loaded: ${event.target.outerHTML}` : event.type;
  };
  const note = (event: Event): void => {
    // The checkout's own event of this name is for its listeners.
    if (!(event instanceof CustomEvent)) complaints.push(reasonOf(event));
  };
  addEventListener('error', note, true);
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
    complaints.push(`${violatedDirective} in ${sourceFile}`),
  );
  const { error } = console;
  console.error = (...details: unknown[]) => {
    complaints.push(details.join(' '));
    error(...details);
  };
}

/** A script of a page that records its errors in `window.watched`. */
export const watchScript = `(${watch})();`;

export type WatchedDemo = {
  url: string;
  /** Holds the package's files with this in their names until the returned function is called. */
  hold: (name: string) => () => void;
  close: () => Promise<void>;
};

/** A proxy to the demo whose pages record their errors in the same way in every browser. */
export async function startWatchedDemo(target: string): Promise<WatchedDemo> {
  const held = new Map<string, Promise<void>>();
  const { url: watchedUrl, close } = await serveUntilClosed(async (request, response) => {
    const { method, headers, url = '/' } = request;
    if (url === '/watch.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(watchScript);
    const name = [...held.keys()].find((part) => url.includes(`/package/${part}`));
    if (name !== undefined) await held.get(name);
    const onward = forward(target + url, { method, headers }, (incoming) => {
      // A connection that the demo drops is dropped here, too.
      pass(incoming, response).catch(() => response.destroy());
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  });
  return {
    url: watchedUrl,
    close,
    hold(name) {
      let letGo = (): void => {};
      held.set(name, new Promise((resolve) => (letGo = resolve)));
      return () => letGo();
    },
  };
}

async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { 'content-length': _, ...headers } = incoming.headers;
  const isPage = headers['content-type']?.startsWith('text/html');
  response.writeHead(incoming.statusCode ?? 502, isPage ? headers : incoming.rawHeaders);
  if (isPage)
    response.end((await text(incoming)).replace('<head>', '<head><script src="/watch.js"></script>'));
  else incoming.pipe(response);
}
