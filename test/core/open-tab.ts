import type { PaymentPreference, PaymentView, Session } from '../../src/contract/index.ts';
import type { Event } from '../../src/core/machine.ts';
import { createSessionEffects, type SessionOptions } from '../../src/core/session-effects.ts';
import { settle } from '../settle.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { headersOf, sessionOf, viewOf } from './views.ts';

export type TabOptions = Partial<Pick<SessionOptions, 'body' | 'orderKey' | 'baseUrl' | 'returned'>> & {
  readonly browser?: FakeBrowser;
  /** The session that the server passed to the page. */
  readonly session?: Session;
  /** Changes the environment before the tab opens. */
  readonly before?: (world: ReturnType<typeof createFakeEnvironment>) => unknown;
};

/** A browser tab that opens a checkout: the session effects, with a machine that only records events. */
export async function openTab({
  browser = createFakeBrowser(),
  before,
  session,
  ...options
}: TabOptions = {}) {
  const world = createFakeEnvironment(0.5, browser);
  await before?.(world);
  const events: Event[] = [];
  let payment = viewOf();
  const effects = createSessionEffects(
    { environment: world.environment, baseUrl: '/checkout', body: '{"orderId":"1001"}', ...options },
    {
      send(event) {
        events.push(event);
        if (event.type === 'viewReceived') payment = event.view;
        if (event.type === 'sessionReceived') watch(event);
      },
      payment: () => payment,
    },
  );
  const watch = (watched: { session: Session; etag?: string | undefined }): void => {
    payment = watched.session;
    void effects.watch({ type: 'watch', etag: undefined, ...watched });
  };
  if (session) watch({ session });
  else void effects.create({ type: 'createSession', failures: 0 });
  await settle();
  return {
    browser,
    world,
    effects,
    events,
    types: () => events.map(({ type }) => type),
    /** `POST` or `GET` of every request so far, with the path below the base. */
    sent: () =>
      world.requests.map(
        ({ url, init }) => `${init.method ?? 'GET'} ${url.replace('/checkout/sessions', '')}`,
      ),
    /** Responds to the open request with a session, and lets polling start. */
    give: async (changes: Partial<PaymentView> = {}, tag = 'a') => {
      await world.last().respond(sessionOf(changes), { status: 201, headers: headersOf(tag) });
      await settle();
    },
    /** Responds to the open request with a view. */
    see: async (changes: Partial<PaymentView> = {}, tag = 'b', more: Record<string, string> = {}) => {
      await world.last().respond(viewOf(changes), { headers: headersOf(tag, more) });
      await settle();
    },
    refuse: async (status: number, code: string) => {
      await world.last().respond({ code }, { status });
      await settle();
    },
    again: async (preference?: PaymentPreference) => {
      void effects.create({ type: 'createSession', failures: 1, preference });
      await settle();
    },
    /** Closes the tab. */
    close: async () => {
      effects.stop();
      await settle();
    },
  };
}

export type Tab = Awaited<ReturnType<typeof openTab>>;
