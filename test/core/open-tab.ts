import type { PaymentView, Session } from '../../src/contract/index.ts';
import type { Event } from '../../src/core/machine/machine.ts';
import { createSessionEffects, type SessionOptions } from '../../src/core/session-effects.ts';
import { settle } from '../settle.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { headersOf, sessionOf, viewOf } from './views.ts';

export type TabOptions = Partial<Pick<SessionOptions, 'body' | 'orderKey' | 'baseUrl' | 'returned'>> & {
  readonly browser?: FakeBrowser;
  /** The session that the page was given by its server. */
  readonly session?: Session;
  /** What the shopper says once the payment is watched. */
  readonly claimed?: boolean;
  /** Changes the world before anything begins in it. */
  readonly before?: (world: ReturnType<typeof createFakeEnvironment>) => unknown;
};

/** A tab of a browser in which a checkout begins: the session effects, with a machine that only records events. */
export async function openTab({
  browser = createFakeBrowser(),
  before,
  session,
  claimed,
  ...options
}: TabOptions = {}) {
  const world = createFakeEnvironment(0.5, browser);
  await before?.(world);
  const events: Event[] = [];
  let isFound = false;
  const effects = createSessionEffects(
    { environment: world.environment, baseUrl: '/checkout', body: '{"orderId":"1001"}', ...options },
    (event) => {
      if (event.type === 'storedFound') isFound = true;
      else events.push(event);
      if (event.type === 'sessionReceived') void effects.watch(event.session);
    },
  );
  if (session) void effects.watch(session);
  else void effects.create({ type: 'createSession', failures: 0 });
  await settle();
  if (claimed !== undefined) effects.saveClaim(claimed);
  return {
    browser,
    world,
    effects,
    events,
    /** Whether the tab was told that there is a stored payment, to say that it is looked up. All else is in `events`. */
    isFound: () => isFound,
    types: () => events.map(({ type }) => type),
    /** `POST` or `GET` of every request so far, with what follows the base. */
    asked: () =>
      world.requests.map(
        ({ url, init }) => `${init.method ?? 'GET'} ${url.replace('/checkout/sessions', '')}`,
      ),
    /** Answers the open request with a session, and lets the watch begin. */
    give: async (changes: Partial<PaymentView> = {}, tag = 'a') => {
      await world.last().answer(sessionOf(changes), { status: 201, headers: headersOf(tag) });
      await settle();
    },
    /** Answers the open request with a view. */
    see: async (changes: Partial<PaymentView> = {}, tag = 'b', more: Record<string, string> = {}) => {
      await world.last().answer(viewOf(changes), { headers: headersOf(tag, more) });
      await settle();
    },
    refuse: async (status: number, code: string) => {
      await world.last().answer({ code }, { status });
      await settle();
    },
    again: async (failures = 1) => {
      void effects.create({ type: 'createSession', failures });
      await settle();
    },
    /** The tab is closed, or killed: nothing is said to anyone. */
    close: async () => {
      effects.stop();
      await settle();
    },
  };
}

export type Tab = Awaited<ReturnType<typeof openTab>>;
