import type { Environment } from '../../src/core/page/environment.ts';
import { settle } from '../settle.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';

/** A request that waits for the test to answer it. */
export type FakeRequest = {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly answer: (
    body: unknown,
    options?: { status?: number; headers?: Record<string, string> },
  ) => Promise<void>;
  readonly fail: (error?: Error) => Promise<void>;
};

type Timer = { at: number; callback: () => void };

/** The phone's date at the beginning; it is wrong by a day. */
const wrongDate = Date.parse('2026-02-28T12:00:00Z');

/**
 * A world that stands still until the test moves it.
 *
 * @param browser what this tab shares with others; without one, it has a storage of its own and no locks
 */
export function createFakeEnvironment(random = 0.5, browser?: FakeBrowser) {
  let clock = 1000;
  let date = wrongDate;
  let isHidden = false;
  let isOffline = false;
  let savesData = false;
  const { readStored, writeStored, openChannel, addPage } = browser ?? createFakeBrowser();
  const timers = new Set<Timer>();
  const listeners = new Set<{ types: readonly string[]; listener: (type: string) => void }>();
  const requests: FakeRequest[] = [];
  const open = new Set<FakeRequest>();
  const reports: unknown[] = [];
  let mostOpen = 0;

  const environment: Environment = {
    now: () => clock,
    date: () => date,
    random: () => random,
    setTimer(callback, ms) {
      const timer = { at: clock + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    isHidden: () => isHidden,
    isOffline: () => isOffline,
    savesData: () => savesData,
    readStored,
    writeStored: (text) => writeStored(text, tellPage),
    requestLock(name, options, hold) {
      if (!browser) throw new TypeError('There are no locks.');
      return browser.requestLock(name, options, hold);
    },
    openChannel,
    observe(types, listener) {
      const entry = { types, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    report: (error) => reports.push(error),
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        const signal = init.signal as AbortSignal;
        const finish = async (act: () => void): Promise<void> => {
          open.delete(request);
          act();
          await settle();
        };
        const request: FakeRequest = {
          url,
          init,
          signal,
          headers: new Headers(init.headers),
          answer: (body, { status = 200, headers = {} } = {}) =>
            finish(() => {
              const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
              resolve(new Response(text, { status, headers }));
            }),
          fail: (error = new TypeError('Failed to fetch')) => finish(() => reject(error)),
        };
        signal.addEventListener('abort', () => {
          open.delete(request);
          reject(new DOMException('Aborted', 'AbortError'));
        });
        requests.push(request);
        open.add(request);
        mostOpen = Math.max(mostOpen, open.size);
      }),
  };

  const tellPage = (type: string): void => {
    for (const { types, listener } of [...listeners]) if (types.includes(type)) listener(type);
  };
  addPage(tellPage);

  const tell = async (type: string): Promise<void> => {
    tellPage(type);
    await settle();
  };

  return {
    environment,
    requests,
    reports,
    /** The request that was made last. */
    last: (): FakeRequest => {
      const request = requests.at(-1);
      if (!request) throw new Error('No request was made.');
      return request;
    },
    open: () => open.size,
    mostOpen: () => mostOpen,
    timers: () => timers.size,
    listeners: () => listeners.size,
    /** Moves the monotonic clock, and runs what falls due on the way. */
    async advance(ms: number): Promise<void> {
      const end = clock + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        date += Math.max(0, next.at - clock);
        clock = Math.max(clock, next.at);
        next.callback();
        await settle();
      }
      date += end - clock;
      clock = end;
    },
    /** The device sleeps, and no one is told: timers stand still, and the monotonic clock too where it does not count. */
    async sleep(ms: number, { monotonic = true } = {}): Promise<void> {
      date += ms;
      if (monotonic) clock += ms;
      await settle();
    },
    /** The phone's date is set. */
    setDate: (ms: number) => {
      date = ms;
    },
    saveData: () => {
      savesData = true;
    },
    goOffline: () => {
      isOffline = true;
      return tell('offline');
    },
    goOnline: () => {
      isOffline = false;
      return tell('online');
    },
    /** The same at once. */
    tellPage,
    /** An event of the page, such as `freeze`; `document.hidden` says nothing of it. */
    tell,
    hide: () => {
      isHidden = true;
      return tell('visibilitychange');
    },
    show: () => {
      isHidden = false;
      return tell('visibilitychange');
    },
    wake: () => tell('pageshow'),
  };
}
