import type { PlainResponse } from '../../../../server-kit/http/plain-http.ts';
import type { PaymentView, Session } from '../../../../src/contract/index.ts';
import { type Event, transition } from '../../../../src/core/machine/machine.ts';
import { initialState, type State } from '../../../../src/core/machine/state.ts';
import type { Environment } from '../../../../src/core/page/environment.ts';
import { pollPayment } from '../../../../src/core/polling/poller.ts';
import { createSessionClient } from '../../../../src/core/session/session-client.ts';
import type { RequestParts } from '../shop/plain-requests.ts';
import type { VirtualClock } from '../world/clock.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { Random } from '../world/random.ts';

/** A request of a browser. `onInstance` gets the instance that it has reached. */
export type SendFromBrowser = (
  request: RequestParts,
  onInstance: (process: SimulatedProcess) => void,
) => Promise<PlainResponse>;

/** A tab with the widget: `src/core` over the responses of the routes, without a UI. */
export type Tab = {
  orderId: string;
  /** The reference of its session. */
  reference: string;
  /** What it shows. */
  state: () => State;
  /** Since when it has been visible, each request got a response, and no instance that served it stood still. */
  smoothSinceMs: () => number;
  setVisible: (isVisible: boolean) => void;
  /** The shopper presses "Check again". */
  refresh: () => void;
  isOpen: () => boolean;
  close: () => void;
};

export type TabOptions = {
  clock: VirtualClock;
  random: Random;
  send: SendFromBrowser;
  baseUrl: string;
  orderId: string;
  session: Session;
  /** Told of each screen that is not the one before. */
  onState?: (state: State) => void;
};

/** How long a tab polls often after its account has expired. */
const lateWatchMs = 600_000;

/** Opens a tab that has just received its session, and lets it poll until it is closed. */
export function openTab(options: TabOptions): Tab {
  const { clock, orderId, session, baseUrl, onState } = options;
  const { reference } = session;
  const closing = new AbortController();
  const page = createPage(options);
  const client = createSessionClient({ environment: page.environment, baseUrl });
  let state: State = initialState;
  let etag: string | undefined;
  let hasEnded = false;

  const apply = (event: Event, serviceTimeMs?: number): void => {
    const before = state.name;
    [state] = transition(state, event, { nowMs: clock.now(), serviceTimeMs });
    if (state.name !== before) onState?.(state);
  };

  const watch = (view: PaymentView): { checkNow: () => void } => {
    hasEnded = false;
    const started = pollPayment({
      ...{ environment: page.environment, name: reference, reference, view, etag, lateWatchMs },
      retrieve: (options) => client.retrieve(session, options),
      onResponse({ value: view, etag: next, serviceTimeMs }) {
        etag = next ?? etag;
        apply(view ? { type: 'viewReceived', view } : { type: 'unchanged' }, serviceTimeMs);
      },
      onError: (error) => apply({ type: 'checkFailed', error }),
      signal: closing.signal,
    });
    void started.done.then(() => {
      hasEnded = true;
    });
    return started;
  };

  apply({ type: 'sessionReceived', session });
  let watching = watch(session);
  return {
    orderId,
    reference,
    state: () => state,
    smoothSinceMs: page.smoothSinceMs,
    setVisible: page.setVisible,
    refresh() {
      if (!hasEnded) return watching.checkNow();
      etag = undefined;
      watching = watch({ ...session, outcome: 'pending' });
    },
    isOpen: () => !closing.signal.aborted,
    close: () => closing.abort(),
  };
}

type Page = Pick<Tab, 'smoothSinceMs' | 'setVisible'> & { environment: Environment };

/** The browser around a tab. Without locks and channels each tab polls by itself. */
function createPage({ clock, random, send }: TabOptions): Page {
  const listeners = new Set<(type: string) => void>();
  let isVisible = true;
  let smoothSinceMs = clock.now();
  let isFailing = false;
  let served: SimulatedProcess | undefined;

  const fetch = async (url: string, { signal, headers }: RequestInit): Promise<Response> => {
    const fail = (): void => {
      if (!signal?.aborted) isFailing = true;
    };
    const request = { method: 'GET', url, headers: headers as Record<string, string> } as const;
    try {
      const sent = { ...request, ...(signal && { signal }) };
      const {
        status,
        headers: own,
        body,
      } = await send(sent, (process) => {
        served = process;
      });
      if (status >= 400) fail();
      else if (isFailing) [isFailing, smoothSinceMs] = [false, clock.now()];
      return new Response(body ?? null, { status, headers: own });
    } catch (error) {
      fail();
      throw error;
    }
  };

  return {
    smoothSinceMs: () =>
      isFailing || !isVisible ? Infinity : Math.max(smoothSinceMs, served?.disturbedAtMs() ?? 0),
    setVisible(next) {
      if (isVisible === next) return;
      isVisible = next;
      smoothSinceMs = clock.now();
      for (const listener of [...listeners]) listener('visibilitychange');
    },
    environment: {
      ...{ fetch, now: clock.now, date: clock.now, random: random.next },
      setTimer: (callback, ms) => clock.after(ms, callback),
      isHidden: () => !isVisible,
      isOffline: () => false,
      savesData: () => false,
      observe(_types, listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      readStored: () => null,
      readLanguage: () => null,
      writeLanguage: () => {},
      writeStored: () => {},
      requestLock: () => Promise.reject(new Error('There are no locks.')),
      openChannel() {
        throw new Error('There are no channels.');
      },
      report(error) {
        throw error;
      },
    },
  };
}
