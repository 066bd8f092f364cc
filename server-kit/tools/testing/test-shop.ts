import * as v from 'valibot';
import { CheckoutError, type Session } from '../../../src/contract/index.ts';
import type { PaymentsClient } from '../../core/client.ts';
import type { FetchHandler } from '../../core/http.ts';
import { objectWith, parseOptions } from '../../core/options.ts';
import { type Checkout, createCheckout } from '../../engine/create-checkout.ts';
import type { CheckoutOptions } from '../../engine/options.ts';
import type { OrderInput } from '../../engine/order/request.ts';
import { atLeastOneField } from '../../service/fields.ts';
import { createSandbox, type Sandbox, type SandboxOptions, type TransferResult } from '../sandbox/index.ts';
import { createCallback, type TestCallbackInput } from './callback.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { createParts, publicUrl, type TestParts } from './test-parts.ts';

/** Options of `createCheckout`, by default with an `onPaid` that does nothing, or a function that creates your own checkout from the test's parts. */
export type TestShopInput = Partial<CheckoutOptions> | ((parts: TestParts) => Checkout);

type ShopSandboxOptions = Omit<
  SandboxOptions,
  'apiKey' | 'apiSecret' | 'authToken' | 'basePath' | 'fetch' | 'now' | 'wait'
>;

const TestShopOptions = v.strictObject({
  /** Options of the sandbox, such as `{ confirmationSeconds: 60 }`. */
  sandbox: v.optional(
    v.custom<ShopSandboxOptions>((value) => typeof value === 'object', 'must be an object'),
  ),
  /** Default: a clock that starts at noon of 1 March 2026 in UTC. */
  clock: v.optional(objectWith<TestClock>('nextDueMs', 'must be what createTestClock() returns'), () =>
    createTestClock(),
  ),
});
export type TestShopOptions = v.InferInput<typeof TestShopOptions>;

const PayOptions = v.strictObject({ amount: v.optional(v.number('must be a number')) }, 'must be an object');

const Period = v.optional(
  v.pipe(v.number('must be a number'), v.finite('must be finite'), v.minValue(0, 'must not be negative')),
);

/** The sum of the fields, of which at least one is given. */
const Duration = v.pipe(
  v.strictObject(
    { days: Period, hours: Period, minutes: Period, seconds: Period, ms: Period },
    'must be an object of days, hours, minutes, seconds and ms',
  ),
  atLeastOneField('must name at least one of them'),
);
export type Duration = v.InferInput<typeof Duration>;

/** A session, a view, or the `payment` of a handler. */
type PaymentRef = { reference: string };

/** A checkout and the payments service in this process, on the test's clock. */
export type TestShop = {
  checkout: Checkout;
  /** `sandbox.control` injects faults, moves payouts, drops callbacks and lists all records. */
  sandbox: Sandbox;
  client: PaymentsClient;
  clock: TestClock;
  /** The errors that `onLog` has received, unless you pass your own `onLog`. */
  errors: readonly unknown[];
  /** Creates a session, as when a shopper opens the checkout. Default: `order-1` for NGN 12,500.00. */
  open: (order?: Partial<OrderInput>) => Promise<Session>;
  /**
   * Sends money to the payment's account and waits for `settled`: `amount` in minor units, by default what is still to be
   * paid. A paid payment is paid in full again.
   *
   * @throws {CheckoutError} `invalid_options` for an unknown reference or option
   */
  pay: (payment: PaymentRef, options?: { amount?: number }) => Promise<TransferResult>;
  /**
   * Opens the page of a link (`checkout.createLink`) as a shopper does, so that its payment can be paid.
   *
   * @throws {SandboxError} `checkout_link_expired`; `checkout_link_not_found` for a payment without a link
   */
  visit: (link: PaymentRef) => void;
  /** Reverses a paid payment and waits for `settled`. */
  reverse: (payment: PaymentRef) => Promise<void>;
  /** Fails a payment that waits for money, and waits for `settled`. */
  fail: (payment: PaymentRef) => Promise<void>;
  /**
   * Sends an additional callback to the checkout, such as a duplicate, a late, an old or a forged one, and waits for
   * `settled`. Default `callbackUrl`: the URL that is registered with the payment.
   */
  callBack: (input?: Partial<TestCallbackInput>) => Promise<Response>;
  /**
   * Advances the clock from one wait to the next, so that callbacks and handlers are retried and accounts expire. A
   * started checkout runs all its rounds, 900 an hour.
   *
   * @throws {CheckoutError} `invalid_options` for anything but a duration, such as `5` or `{ minute: 5 }`
   */
  advance: (duration: Duration) => Promise<void>;
  /**
   * Resolves when every callback is delivered, its payments are verified and no handler runs. With the fault `timeout` it
   * never resolves, because the clock does not move; use `reset` to cut the connection instead.
   */
  settled: () => Promise<void>;
};

const testOrder = { orderId: 'order-1', amount: { value: 1_250_000, currency: 'NGN' } } as const;

/**
 * Creates a shop for a test. Signatures, checks, callbacks and handlers are real; there is no network, and the clock moves
 * only by `advance`. Pauses between attempts take no time. Nothing has to be closed.
 *
 * @example
 * const shop = createTestShop({ onPaid: ({ order }) => shipped.push(order) });
 * await shop.pay(await shop.open({ orderId: 'order-1' }));
 *
 * @throws {CheckoutError} `invalid_options` for wrong options, and for a function that does not return a checkout
 */
export function createTestShop(input: TestShopInput = {}, options: TestShopOptions = {}): TestShop {
  const { clock, sandbox: sandboxOptions } = parseOptions(TestShopOptions, options, 'createTestShop');
  const { now, wait } = clock;
  let handler: FetchHandler = async () => new Response(null, { status: 503 });
  let delivered = 0;
  const deliver: typeof globalThis.fetch = (url, init) => {
    delivered++;
    return handler(new Request(url, init));
  };
  const sandbox = createSandbox({ ...sandboxOptions, now, wait, fetch: deliver });
  const errors: unknown[] = [];
  const parts = createParts(sandbox, sandboxOptions?.dialect, clock, errors);
  const checkout = createShopCheckout(input, parts);
  handler = checkout.handler;
  /** Repeats while callbacks arrive, because a handler can cause another callback. */
  const settled = async (): Promise<void> => {
    for (let before = -1; before !== delivered; ) {
      before = delivered;
      await turn();
      await sandbox.settled();
      await checkout.settled();
      await turn();
      await sandbox.settled();
    }
  };
  const shop = { checkout, sandbox, client: parts.client, clock, errors, settled };
  return { ...shop, ...createActions(shop) };
}

// Saved now, because a test may replace the global timers.
const { setImmediate = (run: () => void) => setTimeout(run, 0), setTimeout } = globalThis;

/** Lets all pending microtasks and immediates run. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function createShopCheckout(input: TestShopInput, parts: TestParts): Checkout {
  const isOptions = typeof input === 'object' && input !== null;
  const onPaid = isOptions && input.handlers === undefined && { onPaid: () => {} };
  const create = isOptions
    ? () => createCheckout({ ...parts, ...onPaid, ...input, testing: { ...parts.testing, ...input.testing } })
    : input;
  const checkout = typeof create === 'function' ? create(parts) : undefined;
  // Without types, a function may return a promise of one.
  if (typeof checkout?.settled === 'function') return checkout;
  const message =
    'createTestShop takes options of createCheckout, or a function that must return what createCheckout() returns, without await.';
  throw new CheckoutError('invalid_options', message);
}

/** Creates the actions of shoppers, the bank and the service. */
function createActions({
  checkout,
  sandbox: { control },
  clock,
  settled,
}: Pick<TestShop, 'checkout' | 'sandbox' | 'clock' | 'settled'>) {
  const find = (reference: string | undefined) =>
    control.listPayments().find((payment) => payment.reference === reference);
  const setStatus = async (reference: string, status: 'reversed' | 'failed'): Promise<void> => {
    control.updatePayment(reference, { status });
    await settled();
  };
  return {
    async advance(duration: Duration): Promise<void> {
      const endMs = clock.now() + toMs(parseOptions(Duration, duration, 'advance'));
      for (let dueMs = clock.nextDueMs(); dueMs <= endMs; dueMs = clock.nextDueMs()) {
        clock.advance(dueMs - clock.now());
        await settled();
      }
      clock.advance(endMs - clock.now());
      await settled();
    },
    open: (order?: Partial<OrderInput>) => checkout.createSession({ ...testOrder, ...order }),
    async pay({ reference }: PaymentRef, options = {}) {
      const { amount: given } = parseOptions(PayOptions, options, 'pay');
      const payment = find(reference);
      if (payment === undefined) {
        const message = `No payment has the reference ${reference}; open it or visit its link first.`;
        throw new CheckoutError('invalid_options', message);
      }
      const { accountNumber, amount: due, chargedAmount } = payment;
      const amount = given ?? (due.value > chargedAmount ? due.value - chargedAmount : due.value);
      const result = control.transfer({ accountNumber, amount });
      await settled();
      return result;
    },
    visit({ reference }: PaymentRef) {
      const link = control.listCheckoutLinks().find((one) => one.reference === reference);
      control.openCheckoutLink(link?.id ?? reference);
    },
    reverse: ({ reference }: PaymentRef) => setStatus(reference, 'reversed'),
    fail: ({ reference }: PaymentRef) => setStatus(reference, 'failed'),
    async callBack(input: Partial<TestCallbackInput> = {}) {
      const payment = find(input.reference);
      const callbackUrl = payment?.callbackUrl ?? `${publicUrl}/checkout/callbacks`;
      const id = payment && { id: payment.id };
      const callback = await createCallback({ callbackUrl, ...id, signedAtMs: clock.now(), ...input });
      const response = await checkout.handler(callback);
      await settled();
      return response;
    },
  };
}

function toMs({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
}
