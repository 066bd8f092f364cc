import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { type Checkout, createCheckout } from '../../../server-kit/engine/create-checkout.ts';
import type { CheckoutOptions } from '../../../server-kit/engine/options.ts';
import type { LogEntry } from '../../../server-kit/engine/telemetry/log-event.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../server-kit/tools/sandbox/index.ts';
import type { Session } from '../../../src/contract/index.ts';
import { failingOnLeaks, secretsIn } from './leaked-secrets.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

type Send = () => Promise<Response>;

/** Stands between the checkout and the sandbox: counts what passes, and lets a test break it. */
export type Wire = {
  /** Replaces the response to a call; `send` returns the sandbox's response. */
  intercept: ((path: string, send: Send) => Promise<Response>) | undefined;
  /** The paths called so far. */
  calls: string[];
  /** The most calls that were under way at once, by path. */
  most: Map<string, number>;
};

export const order = {
  orderId: 'order-1',
  amount: { value: 1_250_000, currency: 'NGN' },
  customer: { name: 'Ada Obi', email: 'ada@example.com' },
  expiresInSeconds: 1800,
} as const;

export const shopUrl = 'https://shop.example';
export const keys = ['first-key-of-at-least-32-characters!', 'second-key-of-at-least-32-characters'];
const credentials = { apiKey: 'pk_test_sandbox', apiSecret: 'sk_test_sandbox' };

/** Of calls while a shopper waits, of callbacks’ own questions, and of all other requests; retries are made at once. */
const timeouts = [5000, 8000, 10_000, 15_000];

/** What two instances of a shop have in common. */
type Shared = { clock?: TestClock; sandbox?: Sandbox };

/** By default, callbacks are acknowledged without reaching a shop. */
const nowhere: typeof globalThis.fetch = async () => new Response(null, { status: 204 });

/** A shop with a checkout, which runs the handlers that it gets, on a test clock, talking with real signatures to a sandbox in this process, over a wire that a test can break. No response and no entry of its log may have a secret. */
export function createWiredShop(
  options: Partial<CheckoutOptions> = {},
  sandboxOptions: SandboxOptions = {},
  {
    clock = createTestClock(),
    sandbox = createSandbox({ now: clock.now, fetch: nowhere, ...sandboxOptions }),
  }: Shared = {},
) {
  const wire: Wire = { intercept: undefined, calls: [], most: new Map() };
  const underWay = new Map<string, number>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    wire.calls.push(pathname);
    const count = (underWay.get(pathname) ?? 0) + 1;
    underWay.set(pathname, count);
    wire.most.set(pathname, Math.max(count, wire.most.get(pathname) ?? 0));
    const send: Send = () => sandbox.fetch(String(input), init);
    try {
      return await (wire.intercept?.(pathname, send) ?? send());
    } finally {
      underWay.set(pathname, (underWay.get(pathname) ?? 1) - 1);
    }
  };
  const client = createPaymentsClient({
    baseUrl: 'https://service.example',
    ...credentials,
    fetch,
    now: clock.now,
    dialect: createDialect(sandboxOptions.dialect),
    wait: (ms, signal) =>
      timeouts.includes(ms) ? (options.testing?.wait ?? clock.wait)(ms, signal) : Promise.resolve(),
  });
  const errors: unknown[] = [];
  const log: LogEntry[] = [];
  const foundInLog: string[] = [];
  const store = options.store ?? createMemoryStore({ now: clock.now });
  const hasHandlers = Object.keys(options).some((name) => name !== 'onLog' && name.startsWith('on'));
  const settings: CheckoutOptions = {
    ...(!hasHandlers && { handlers: 'elsewhere' }),
    client,
    store,
    clientSecretKeys: keys,
    getOrder: () => order,
    publicUrl: shopUrl,
    onLog: (entry) => {
      log.push(entry);
      foundInLog.push(...secretsIn(JSON.stringify(entry), secrets));
      if ('error' in entry) errors.push(entry.error);
    },
    ...options,
    testing: { now: clock.now, wait: clock.wait, ...options.testing },
  };
  const { clientSecretKeys, operatorKey = [] } = settings;
  const secrets = [clientSecretKeys, operatorKey, Object.values(credentials)].flat();
  const checkout = failingOnLeaks(createCheckout(settings), secrets, foundInLog);
  return { checkout, clock, sandbox, wire, store, errors, log, client, ...requestsTo(checkout) };
}

/** Each response comes after the handlers that it has caused have ended. */
function requestsTo(checkout: Checkout) {
  const send = async (request: Request): Promise<Response> => {
    const response = await checkout.handler(request);
    await checkout.settled();
    return response;
  };
  const post = (headers: Record<string, string> = {}, body: BodyInit = '{}', path = '/checkout/sessions') =>
    send(
      new Request(shopUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'checkout-contract': '1', ...headers },
        body,
      }),
    );
  const get = (
    session: Pick<Session, 'reference' | 'clientSecret'>,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ) =>
    send(
      new Request(`${shopUrl}/checkout/sessions/${session.reference}`, {
        headers: { 'checkout-secret': session.clientSecret, 'checkout-contract': '1', ...headers },
        signal: signal ?? null,
      }),
    );
  const open = async (): Promise<Session> => (await post()).json() as Promise<Session>;
  return { post, get, open };
}
