import { CheckoutError, type Session } from '../../src/contract/index.ts';
import { type Checkout, createCheckout } from '../checkout.ts';
import type { CheckoutOptions } from '../checkout-options.ts';
import { createPaymentsClient, type PaymentsClient } from '../client/client.ts';
import type { FetchHandler } from '../http/fetch.ts';
import type { OrderInput } from '../payments/order.ts';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  sandboxCredentials,
  type TransferResult,
} from '../sandbox/index.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { createCallback, type TestCallbackInput } from './callback.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { createTestTime, type Duration } from './test-time.ts';

/** What a test gives to `createCheckout`, so that it runs on the test's clock and talks to the test's sandbox. */
export type TestParts = Required<
  Pick<
    CheckoutOptions,
    | 'payments'
    | 'store'
    | 'clientSecretKeys'
    | 'createPayment'
    | 'publicUrl'
    | 'maxVerificationsPerSecond'
    | 'now'
    | 'wait'
    | 'random'
    | 'onLog'
  >
>;

/** Some options of `createCheckout`, or a function that makes your own checkout of the test's parts. */
export type TestShopInput = Partial<CheckoutOptions> | ((parts: TestParts) => Checkout);

export type TestShopOptions = {
  /** What the sandbox does otherwise, such as `{ confirmationSeconds: 60 }`. */
  sandbox?: Omit<
    SandboxOptions,
    'apiKey' | 'apiSecret' | 'authToken' | 'basePath' | 'fetch' | 'now' | 'wait'
  >;
  /** Where the clock begins. Default: noon of 1 March 2026 in UTC. */
  clock?: TestClock;
};

/** A session, a view, or what a handler gets as `payment`. */
type PaymentOfTest = { reference: string };

/** A checkout and the payments service, whole and in this process, on a clock of the test's own. */
export type TestShop = {
  checkout: Checkout;
  /** `sandbox.control` makes faults, moves payouts, loses callbacks, and looks at everything. */
  sandbox: Sandbox;
  payments: PaymentsClient;
  clock: TestClock;
  /** The errors that `onLog` was told, unless you gave your own. */
  errors: readonly unknown[];
  /**
   * A shopper comes to pay: gives the session of an order, which is `order-1` for NGN 12,500.00 unless you say otherwise.
   */
  open: (order?: Partial<OrderInput>) => Promise<Session>;
  /**
   * Money comes to the payment's account: all that was asked for, or `amount` in minor units. Then it is `settled`.
   *
   * @throws {TypeError} for a reference that no payment of the sandbox has
   */
  pay: (payment: PaymentOfTest, options?: { amount?: number }) => Promise<TransferResult>;
  /**
   * The shopper opens the page of a link (`checkout.createLink`): from then on its payment can be paid.
   *
   * @throws {SandboxError} `checkout_link_expired`; `checkout_link_not_found` for a payment that is no link
   */
  visit: (link: PaymentOfTest) => void;
  /** The money of a paid payment is taken back. Then it is `settled`. */
  reverse: (payment: PaymentOfTest) => Promise<void>;
  /** The service gives up a payment that waits for money. Then it is `settled`. */
  fail: (payment: PaymentOfTest) => Promise<void>;
  /**
   * Sends the checkout a callback besides those that the sandbox sends: another time, out of order, too old, or signed by
   * somebody else. Then it is `settled`. Without `callbackUrl` it is the one that is registered with the payment.
   */
  callBack: (input?: Partial<TestCallbackInput>) => Promise<Response>;
  /**
   * Moves the clock, from one wait to the next, and lets each do its work: callbacks are sent again, handlers retried,
   * accounts expire. A checkout that was started makes all its rounds, 900 an hour.
   */
  advance: (duration: Duration) => Promise<void>;
  /**
   * Resolves when every callback is delivered, every look is made that they ask for, and no handler runs. That is never
   * where the service does not answer a look (the fault `timeout`), because the clock stands still: let it cut the
   * connection (`reset`).
   */
  settled: () => Promise<void>;
};

const publicUrl = 'https://shop.example';
const testOrder = { orderId: 'order-1', amount: { value: 1_250_000, currency: 'NGN' } } as const;

/** Of the client between two attempts. */
const longestPauseMs = 4000;

/**
 * Makes a shop for a test. Signatures, checks, callbacks and handlers are the real ones; only the network is left out, and
 * the clock stands still until `advance`. Pauses between attempts take no time. Nothing has to be closed.
 *
 * @example
 * const shop = createTestShop({ onPaid: ({ order }) => shipped.push(order.orderId) });
 * await shop.pay(await shop.open({ orderId: 'order-1' }));
 */
export function createTestShop(input: TestShopInput = {}, options: TestShopOptions = {}): TestShop {
  const { clock = createTestClock() } = options;
  const { now, wait } = clock;
  let handler: FetchHandler = async () => new Response(null, { status: 503 });
  let delivered = 0;
  const deliver: typeof globalThis.fetch = (url, init) => {
    delivered++;
    return handler(new Request(url, init));
  };
  const sandbox = createSandbox({ ...options.sandbox, now, wait, fetch: deliver });
  const errors: unknown[] = [];
  const parts = createParts(sandbox, options.sandbox?.dialect, clock, errors);
  const checkout = typeof input === 'function' ? input(parts) : createCheckout({ ...parts, ...input });
  handler = checkout.handler;
  const time = createTestTime({ checkout, sandbox, clock, countDelivered: () => delivered });
  const shop = { checkout, sandbox, payments: parts.payments, clock, errors, ...time };
  return { ...shop, ...createMoves(shop) };
}

function createParts(
  sandbox: Sandbox,
  dialect: SandboxOptions['dialect'],
  { now, wait }: TestClock,
  errors: unknown[],
): TestParts {
  return {
    payments: createPaymentsClient({
      ...sandboxCredentials,
      baseUrl: 'https://payments.example',
      fetch: sandbox.fetch,
      now,
      dialect,
      retry: { maxDelayMs: longestPauseMs },
      // Pauses between attempts take no time. What is longer is a timeout.
      wait: (ms, signal) => (ms > longestPauseMs ? wait(ms, signal) : Promise.resolve()),
    }),
    store: createMemoryStore({ now }),
    clientSecretKeys: ['a-client-secret-key-for-tests-only'],
    publicUrl,
    createPayment() {
      const message = 'The test shop has no createPayment; pass one, or call checkout.createSession.';
      throw new CheckoutError('forbidden', message);
    },
    // A budget that is used up would be waited for, on a clock that stands still.
    maxVerificationsPerSecond: 10_000,
    now,
    wait,
    random: () => 0.5,
    onLog: (entry) => 'error' in entry && errors.push(entry.error),
  };
}

/** What happens to payments from outside. */
function createMoves({
  checkout,
  sandbox: { control },
  clock,
  settled,
}: Pick<TestShop, 'checkout' | 'sandbox' | 'clock' | 'settled'>): Pick<
  TestShop,
  'open' | 'pay' | 'visit' | 'reverse' | 'fail' | 'callBack'
> {
  const find = (reference: string | undefined) =>
    control.listPayments().find((payment) => payment.reference === reference);
  const become = async (reference: string, status: 'reversed' | 'failed'): Promise<void> => {
    control.updatePayment(reference, { status });
    await settled();
  };
  return {
    open: (order) => checkout.createSession({ ...testOrder, ...order }),
    async pay({ reference }, { amount } = {}) {
      const payment = find(reference);
      if (payment === undefined)
        throw new TypeError(`No payment has the reference ${reference}; open it, or visit its link, first.`);
      const { accountNumber, amount: due } = payment;
      const result = control.transfer({ accountNumber, amount: amount ?? due.value });
      await settled();
      return result;
    },
    visit({ reference }) {
      const link = control.listCheckoutLinks().find((one) => one.reference === reference);
      control.openCheckoutLink(link?.id ?? reference);
    },
    reverse: ({ reference }) => become(reference, 'reversed'),
    fail: ({ reference }) => become(reference, 'failed'),
    async callBack(input = {}) {
      const payment = find(input.reference);
      const callbackUrl = payment?.callbackUrl ?? `${publicUrl}/checkout/callbacks`;
      const id = payment && { id: payment.id };
      const callback = await createCallback({ callbackUrl, ...id, signedAtMs: clock.now(), ...input });
      const answer = await checkout.handler(callback);
      await settled();
      return answer;
    },
  };
}
