import type { FetchHandler } from '../../../server-kit/core/http.ts';
import type { CheckoutOptions } from '../../../server-kit/engine/options.ts';
import type { AttentionEvent, OutcomeEvent } from '../../../server-kit/engine/outbox/handlers.ts';
import type { SandboxOptions } from '../../../server-kit/tools/sandbox/index.ts';
import { createCallback } from '../../../server-kit/tools/testing/index.ts';
import type { PaymentStatus, PaymentView, Session } from '../../../src/contract/index.ts';
import { changedOrder, changing, readView } from './wire-faults.ts';
import { createWiredShop, order, shopUrl, type Wire } from './wired-shop.ts';

export const callbackUrl = `${shopUrl}/checkout/callbacks`;

type Named = { reference: string };
type Page = Pick<Session, 'reference' | 'clientSecret'>;
type AnyEvent = Pick<OutcomeEvent, 'idempotencyKey' | 'money'> &
  Pick<Partial<Extract<AttentionEvent, { reason: string }>>, 'reason'>;

/**
 * A shop that its sandbox sends callbacks to, in this process, whose cart can change, and that records the events of all handlers:
 * their keys, and as `movements` also the money, with the reason if it is unexpected.
 */
export function createNotifiedShop(
  options: Partial<CheckoutOptions> = {},
  sandboxOptions: SandboxOptions = {},
  shared: Parameters<typeof createWiredShop>[2] = {},
) {
  let handler: FetchHandler = async () => new Response(null, { status: 503 });
  const notified: string[] = [];
  const movements: (string | number)[][] = [];
  const note = ({ idempotencyKey, money, reason }: AnyEvent): void => {
    notified.push(idempotencyKey);
    movements.push([idempotencyKey, money.amount.value, ...(reason ? [reason] : [])]);
  };
  const handlers = { onPaid: note, onFailed: note, onExpired: note, onAttention: note };
  let cart: typeof order | typeof changedOrder = order;
  const changeCart = (): void => {
    cart = changedOrder;
  };
  const shop = createWiredShop(
    { ...handlers, getOrder: () => cart, ...options, testing: { random: () => 0, ...options.testing } },
    { fetch: (input, init) => handler(new Request(input, init)), ...sandboxOptions },
    shared,
  );
  const { checkout, sandbox, clock, log, wire } = shop;
  handler = checkout.handler;
  const { control } = sandbox;
  const pay = (accountNumber: string, amount: number = order.amount.value) =>
    control.transfer({ accountNumber, amount });
  /** Which amounts the service takes on a payment from now on. */
  const accept = ({ reference }: Named, amounts: 'ANY' | 'PARTIAL') =>
    control.updatePayment(reference, { acceptedAmountPolicy: `ACCEPTED_AMOUNT_POLICY_ALLOW_${amounts}` });
  const setStatus = ({ reference }: Named, status: PaymentStatus) =>
    control.updatePayment(reference, { status });
  /** A shopper opens the page of a link. */
  const visit = ({ authorizationUrl = '' }: Pick<Session, 'authorizationUrl'>) =>
    control.openCheckoutLink(authorizationUrl.split('/').at(-1) ?? '');
  /** Waits for the callbacks and their handlers. */
  const delivered = async (): Promise<void> => {
    await sandbox.settled();
    await checkout.settled();
  };
  const roundAfter = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await checkout.reconcile();
    await checkout.settled();
  };
  const viewAfter = (ms: number, session: Page): Promise<PaymentView> => {
    clock.advance(ms);
    return readView(shop.get(session));
  };
  /** The calls of the service meet the fault while the work lasts. */
  const during = async <T>(fault: Wire['intercept'], work: () => Promise<T>): Promise<T> => {
    wire.intercept = fault;
    return work().finally(() => {
      wire.intercept = undefined;
    });
  };
  /** From now on, the service says this of the payment. Returns a page's view of it a minute later. */
  const say = ({ reference, ...secret }: Page, change: object, afterMs = 61_000): Promise<PaymentView> => {
    const updatedAt = new Date(clock.now() + afterMs).toISOString();
    const changed = changing({ updatedAt, ...change });
    wire.intercept = (path, send) => (path.endsWith(`${reference}/verify`) ? changed(path, send) : send());
    return viewAfter(afterMs, { reference, ...secret });
  };
  /** A request that is held because the page knows the view, by this instance or another. */
  const hold = async (session: Page, { get }: Pick<typeof shop, 'get'> = shop) => {
    const etag = (await get(session)).headers.get('etag') ?? '';
    const response = get(session, { 'if-none-match': etag, prefer: 'wait=25' });
    await clock.untilWaiting(25_000);
    return { response };
  };
  const another = (more: Partial<CheckoutOptions> = {}) =>
    createWiredShop({ store: shop.store, ...more }, {}, shop);
  const verifications = () => wire.calls.flatMap((path) => /payments\/(.+)\/verify$/.exec(path)?.[1] ?? []);
  const accounts = () => control.listPayments();
  const loseCallbacks = () => control.setCallbackDelivery({ drop: true });
  /** Sends a callback as the service would, with the headers that a test wants otherwise. */
  const callBack = async (
    data: object,
    { headers = {}, url = callbackUrl }: { headers?: Record<string, string>; url?: string } = {},
  ): Promise<Response> => {
    const signed = await createCallback({ callbackUrl: url, data, signedAtMs: clock.now() });
    const response = await checkout.handler(
      new Request(callbackUrl, {
        method: 'POST',
        headers: { ...Object.fromEntries(signed.headers), ...headers },
        body: await signed.text(),
      }),
    );
    await checkout.settled();
    return response;
  };
  const events = () =>
    log.flatMap((entry) => (entry.type === 'callback' ? `${entry.action} ${entry.kind}` : []));
  const bank = { pay, accept, setStatus, visit, accounts, loseCallbacks };
  const pages = { viewAfter, during, say, hold };
  return {
    ...shop,
    ...bank,
    ...pages,
    another,
    changeCart,
    verifications,
    notified,
    movements,
    events,
    delivered,
    roundAfter,
    callBack,
  };
}

/** Such a shop without callbacks, with an open payment, which `receive` pays. */
export async function openedWithoutCallbacks(...input: Parameters<typeof createNotifiedShop>) {
  const shop = createNotifiedShop(...input);
  shop.loseCallbacks();
  const session = await shop.open();
  return { ...shop, session, receive: (amount?: number) => shop.pay(session.account.number, amount) };
}
