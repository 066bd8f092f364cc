import { once } from 'node:events';
import { expect, vi } from 'vitest';
import { findWebKit, type WebKitPrograms } from '../setup/browsers.ts';
import { freePort } from '../setup/reserve-port.ts';
import { type BoundProcess, startBound } from './bound-process.ts';
import type { JourneyBrowser, JourneyPage, Key } from './journey-page.ts';

/** Sends one command to a session, and gives its value. https://www.w3.org/TR/webdriver2/#endpoints */
type Send = (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keys: Record<Key, readonly string[]> = {
  Tab: ['\uE004'],
  Escape: ['\uE00C'],
  'Control+v': ['\uE009', 'v'],
};

/** The key of an element in a response. https://www.w3.org/TR/webdriver2/#elements */
const elementId = 'element-6066-11e4-a52e-4f735466cecf';

/** Starts WebKitGTK's browser by its own driver, on a virtual screen, with one page at a time. */
async function start({ driver, screen }: WebKitPrograms): Promise<JourneyBrowser> {
  const display = startBound([screen, '-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
  const started = [display];
  const close = async (): Promise<void> => {
    for (const program of [...started].reverse()) await program.stop();
  };
  try {
    const [number] = await Promise.race([once(display.output, 'data'), untilEnded(display, screen)]);
    const port = await freePort();
    const service = startBound([driver, `--port=${port}`], { DISPLAY: `:${String(number).trim()}` });
    started.push(service);
    const url = `http://127.0.0.1:${port}`;
    const untilReady = vi.waitFor(() => fetch(`${url}/status`), { timeout: 30_000 });
    await Promise.race([untilReady, untilEnded(service, driver)]);
    return { newPage: openOneByOne(url), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const programs = findWebKit();

/** Undefined where it is not installed. */
export const startWebKit = programs && (() => start(programs));

async function untilEnded({ output }: BoundProcess, program: string): Promise<never> {
  await once(output.resume(), 'close');
  throw new Error(`${program} has ended.`);
}

/** Each page is a new session of the driver, which has one at a time; cookies and storage end with it. */
function openOneByOne(url: string): JourneyBrowser['newPage'] {
  let send: Send | undefined;
  return async (width) => {
    await send?.('DELETE', '');
    send = await newSession(url);
    await send('POST', '/timeouts', { script: 15_000 });
    await send('POST', '/window/rect', { width, height: 740 });
    return pageOf(send);
  };
}

async function newSession(url: string): Promise<Send> {
  // Without a tool bar the window can be nearly as narrow as a phone.
  const options = { args: ['--automation', '--full-screen'] };
  const alwaysMatch = { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options };
  const session = await command('POST', `${url}/session`, { capabilities: { alwaysMatch } });
  const { sessionId } = session as { sessionId: string };
  return (method, path, body) => command(method, `${url}/session/${sessionId}${path}`, body);
}

async function command(method: string, url: string, body: object = {}): Promise<unknown> {
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: { error: string; message: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

function pageOf(send: Send): JourneyPage {
  let isInFrame = false;
  const enterFrame = async (): Promise<void> => {
    await send('POST', '/frame', { id: null });
    await send('POST', '/frame', { id: 0 });
  };
  const execute = async (run: string, given?: unknown): Promise<unknown> => {
    const body = { script: `return (${run})(arguments[0])`, args: [given ?? null] };
    return send('POST', '/execute/sync', body).catch(async (error: Error) => {
      // A busy driver can lose a frame that it has entered. It has run nothing then.
      if (!isInFrame || !error.message.startsWith('no such window')) throw error;
      await vi.waitFor(enterFrame, { timeout: 30_000 });
      return send('POST', '/execute/sync', body);
    });
  };
  /** Waits for the next document. The driver's own wait never ends on pages with an `async` script. */
  const arrive = async (path: string, body?: object): Promise<void> => {
    await execute('() => { window.isLeft = true; }');
    await send('POST', path, body);
    const hasCome = '() => !window.isLeft && document.readyState !== "loading"';
    await vi.waitFor(async () => expect(await execute(hasCome)).toBe(true), { timeout: 30_000 });
  };
  return {
    async open(url) {
      isInFrame = false;
      await send('POST', '/frame', { id: null });
      await arrive('/url', { url });
    },
    async enterFrame() {
      await vi.waitFor(enterFrame, { timeout: 30_000 });
      isInFrame = true;
    },
    reload: () => arrive('/refresh'),
    evaluate: ((run, given) => execute(`${run}`, given)) as JourneyPage['evaluate'],
    async click(selector) {
      const found = (await execute('window.watched.find', selector)) as Record<string, string> | null;
      if (found === null) throw new Error(`There is no ${selector} to press.`);
      // The driver would scroll to the bottom edge, where the demo has a button of its own.
      await execute("(wanted) => window.watched.find(wanted).scrollIntoView({ block: 'center' })", selector);
      await send('POST', `/element/${found[elementId]}/click`);
    },
    async pressKey(key) {
      const down = keys[key].map((value) => ({ type: 'keyDown', value }));
      const up = keys[key].map((value) => ({ type: 'keyUp', value })).reverse();
      await send('POST', '/actions', {
        actions: [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }],
      });
    },
  };
}
