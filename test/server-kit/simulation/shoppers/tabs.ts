import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { Session } from '../../../../src/contract/index.ts';
import type { Environment } from '../../../../src/core/environment.ts';
import { type Event, transition } from '../../../../src/core/machine.ts';
import { pollPayment } from '../../../../src/core/poll.ts';
import { createSessionClient } from '../../../../src/core/session-client.ts';
import { initialState, type PaymentState, type State } from '../../../../src/core/state.ts';
import { createFakeEnvironment } from '../../../core/fake-environment.ts';
import type { RequestParts } from '../shop/plain-requests.ts';
import type { VirtualClock } from '../world/clock.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { Random } from '../world/random.ts';

/** Sends a browser's request. `onInstance` is called with the instance that it reaches. */
export type SendFromBrowser = (
  request: RequestParts,
  onInstance: (process: SimulatedProcess) => void,
) => Promise<PlainResponse>;

export type Tab = ReturnType<typeof openTab>;

type TabOptions = {
  clock: VirtualClock;
  random: Random;
  send: SendFromBrowser;
  baseUrl: string;
  orderId: string;
  session: Session;
  onState?: (state: State) => void;
};

/** Opens a tab with the widget: `src/core` without a UI, connected to the shop's routes. It polls until it is closed. */
export function openTab(options: TabOptions) {
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

  const watch = (): { checkNow: () => void } => {
    hasEnded = false;
    const started = pollPayment({
      environment: page.environment,
      etag,
      retrieve: (options) => client.retrieve(session, options),
      onResponse({ value: view, etag: next, serviceTimeMs }) {
        etag = next ?? etag;
        apply(view ? { type: 'viewReceived', view } : { type: 'unchanged' }, serviceTimeMs);
        return (state as PaymentState).payment.outcome;
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
  let watching = watch();
  return {
    orderId,
    reference,
    state: () => state,
    undisturbedSinceMs: page.undisturbedSinceMs,
    setVisible: page.setVisible,
    /** The shopper presses "Check again". */
    refresh(): void {
      if (!hasEnded) return watching.checkNow();
      etag = undefined;
      watching = watch();
    },
    isOpen: () => !closing.signal.aborted,
    close: () => closing.abort(),
  };
}

/** Simulates the browser of a tab. Without locks and channels, each tab polls by itself. */
function createPage({ clock, random, send }: TabOptions) {
  const listeners = new Set<(type: string) => void>();
  let isVisible = true;
  let undisturbedSinceMs = clock.now();
  let isFailing = false;
  let served: SimulatedProcess | undefined;

  const fetch = async (url: string, { signal, headers }: RequestInit): Promise<Response> => {
    const fail = (): void => {
      isFailing = true;
    };
    // A request that the widget has given up has failed, whatever arrives later.
    signal?.addEventListener('abort', fail, { once: true });
    const parts = { url, headers: headers as Record<string, string>, ...(signal && { signal }) };
    try {
      const {
        status,
        headers: own,
        body,
      } = await send({ method: 'GET', ...parts }, (process) => {
        served = process;
      });
      if (signal?.aborted) return new Response(null);
      if (status >= 400) fail();
      else if (isFailing) [isFailing, undisturbedSinceMs] = [false, clock.now()];
      return new Response(body ?? null, { status, headers: own });
    } catch (error) {
      if (!signal?.aborted) fail();
      throw error;
    } finally {
      signal?.removeEventListener('abort', fail);
    }
  };

  return {
    /** The time since which it has been visible, with no failed request and no disturbed instance; Infinity if it is not so. */
    undisturbedSinceMs: () =>
      isFailing || !isVisible ? Infinity : Math.max(undisturbedSinceMs, served?.disturbedUntilMs() ?? 0),
    setVisible(next: boolean): void {
      if (isVisible === next) return;
      isVisible = next;
      undisturbedSinceMs = clock.now();
      for (const listener of [...listeners]) listener('visibilitychange');
    },
    environment: {
      ...createFakeEnvironment().environment,
      fetch,
      now: clock.now,
      date: clock.now,
      random: random.next,
      setTimer: (callback, ms) => clock.after(ms, callback),
      isHidden: () => !isVisible,
      observe(_types, listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      report(error) {
        throw error;
      },
    } satisfies Environment as Environment,
  };
}
