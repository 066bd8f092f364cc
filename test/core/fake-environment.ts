import type { Environment } from '../../src/core/environment.ts';
import { settle } from '../settle.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';

/** A request that waits for the test to respond. */
export type FakeRequest = {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly respond: (
    body: unknown,
    options?: { status?: number; headers?: Record<string, string> },
  ) => Promise<void>;
  readonly fail: (error?: Error) => Promise<void>;
};

type Timer = { at: number; callback: () => void };

/** The phone's initial date; it is wrong by a day. */
const wrongDate = Date.parse('2026-02-28T12:00:00Z');

/**
 * Creates an environment whose time the test controls.
 *
 * @param browser shared with other tabs; without one, the tab has its own storage
 */
export function createFakeEnvironment(random = 0.5, browser?: FakeBrowser) {
  let clock = 1000;
  let date = wrongDate;
  let isHidden = false;
  let isOffline = false;
  const { writeStored, addPage, ...storage } = browser ?? createFakeBrowser();
  const timers = new Set<Timer>();
  const listeners = new Set<{ types: readonly string[]; listener: (type: string) => void }>();
  const requests: FakeRequest[] = [];
  const open = new Set<FakeRequest>();
  const reports: unknown[] = [];
  let mostOpen = 0;

  const environment: Environment = {
    now: () => clock,
    held: { count: 0 },
    date: () => date,
    random: () => random,
    setTimer(callback, ms) {
      const timer = { at: clock + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    isHidden: () => isHidden,
    isOffline: () => isOffline,
    ...storage,
    writeStored: (text) => writeStored(text, dispatchNow),
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
          respond: (body, { status = 200, headers = {} } = {}) =>
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

  const dispatchNow = (type: string): void => {
    for (const { types, listener } of [...listeners]) if (types.includes(type)) listener(type);
  };
  addPage(dispatchNow);

  const dispatch = async (type: string): Promise<void> => {
    dispatchNow(type);
    await settle();
  };

  return {
    environment,
    requests,
    reports,
    /** The last request. */
    last: (): FakeRequest => {
      const request = requests.at(-1);
      if (!request) throw new Error('No request was made.');
      return request;
    },
    open: () => open.size,
    mostOpen: () => mostOpen,
    timers: () => timers.size,
    listeners: () => listeners.size,
    /** Advances the clocks, and runs the timers that become due. */
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
    /** The device sleeps without an event: timers stop, and so does the monotonic clock unless it counts sleep. */
    async sleep(ms: number, { monotonic = true } = {}): Promise<void> {
      date += ms;
      if (monotonic) clock += ms;
      await settle();
    },
    /** Sets the phone's date. */
    setDate: (ms: number) => {
      date = ms;
    },
    goOffline: () => {
      isOffline = true;
      return dispatch('offline');
    },
    goOnline: () => {
      isOffline = false;
      return dispatch('online');
    },
    /** As `dispatch`, synchronously. */
    dispatchNow,
    /** Dispatches an event of the page, such as `freeze`, without changing `document.hidden`. */
    dispatch,
    hide: () => {
      isHidden = true;
      return dispatch('visibilitychange');
    },
    show: () => {
      isHidden = false;
      return dispatch('visibilitychange');
    },
    wake: () => dispatch('pageshow'),
  };
}
