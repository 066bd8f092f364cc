import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { createCheckout } from '../../../server-kit/engine/create-checkout.ts';
import type { CheckoutOptions } from '../../../server-kit/engine/options.ts';
import type { LogEntry } from '../../../server-kit/engine/telemetry/log-event.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';
import { createCallback } from '../../../server-kit/tools/testing/index.ts';
import type { Session } from '../../../src/contract/index.ts';
import { failingOnLeaks, secretsIn } from '../kit/leaked-secrets.ts';
import { watchProcess } from '../kit/raw-connection.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { keys, order, shopUrl } from '../kit/wired-shop.ts';
import { startHostileServer } from './hostile-server.ts';
import { createWatchedTime, watchFetch } from './watched-time.ts';

const apiSecret = 'sk_test_sandbox';
const callbackUrl = `${shopUrl}/checkout/callbacks`;

/** A shop whose service may lie, over HTTP and in simulated time. The service sends no callback by itself. */
export async function startHostileShop() {
  const clock = createTestClock();
  const died = watchProcess();
  const sandbox = createSandbox({ now: clock.now, fetch: async () => new Response(null, { status: 204 }) });
  const server = await startHostileServer(sandbox.fetch, clock);
  const { fetch, underWay, bytesRead } = watchFetch();
  const common = { now: clock.now, wait: clock.wait, random: () => 0.5 };
  const payments = createPaymentsClient({
    ...common,
    baseUrl: server.url,
    apiSecret,
    fetch,
    liveMode: false,
  });
  const notified: string[] = [];
  const log: LogEntry[] = [];
  const foundInLog: string[] = [];
  const note = (name: string) => () => void notified.push(name);
  const settings: CheckoutOptions = {
    testing: common,
    client: payments,
    // So that a live payment is refused for its mode, and not for the store.
    store: { ...createMemoryStore({ now: clock.now }), isVolatile: false },
    clientSecretKeys: keys,
    getOrder: ({ body }) => ({ ...order, orderId: (body as { orderId: string }).orderId }),
    publicUrl: shopUrl,
    limits: false,
    onLog: (entry) => {
      log.push(entry);
      foundInLog.push(...secretsIn(JSON.stringify(entry), secrets));
    },
    onPaid: note('paid'),
    onFailed: note('failed'),
    onExpired: note('expired'),
    onAttention: ({ outcome }) => void notified.push(outcome),
  };
  const secrets = [...keys, apiSecret];
  const checkout = failingOnLeaks(createCheckout(settings), secrets, foundInLog);
  const time = createWatchedTime({ clock, callsUnderWay: underWay, callsWaiting: server.waiting });
  const post = (orderId: string = order.orderId) =>
    checkout.handler(
      new Request(`${shopUrl}/checkout/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'checkout-contract': '1' },
        body: JSON.stringify({ orderId }),
      }),
    );
  const get = (session: Session, headers: Record<string, string> = {}) =>
    checkout.handler(
      new Request(`${shopUrl}/checkout/sessions/${session.reference}`, {
        headers: { 'checkout-secret': session.clientSecret, 'checkout-contract': '1', ...headers },
      }),
    );
  const open = async (orderId?: string): Promise<Session> => {
    const { result } = await time.within(15_000, post(orderId));
    return (await result.json()) as Session;
  };
  const callBack = async (input: Omit<Parameters<typeof createCallback>[0], 'callbackUrl'>) =>
    checkout.handler(await createCallback({ callbackUrl, signedAtMs: clock.now(), ...input }));
  const pay = ({ account }: Session) =>
    sandbox.control.transfer({ accountNumber: account.number, amount: order.amount.value });
  /** Rounds of the background work, a minute from each other. */
  const reconcile = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      clock.advance(61_000);
      await time.within(180_000, checkout.reconcile());
      await time.within(180_000, checkout.settled());
    }
  };
  const shopper = { post, get, open, pay };
  return {
    ...shopper,
    checkout,
    sandbox,
    server,
    clock,
    time,
    notified,
    log,
    died,
    bytesRead,
    callBack,
    reconcile,
  };
}
