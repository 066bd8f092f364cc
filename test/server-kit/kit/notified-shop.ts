import type { CheckoutOptions } from '../../../server-kit/checkout-options.ts';
import type { FetchHandler } from '../../../server-kit/http/fetch.ts';
import type { OutcomeEvent } from '../../../server-kit/outbox/handlers.ts';
import type { SandboxOptions } from '../../../server-kit/sandbox/index.ts';
import { createCallback } from '../../../server-kit/testing/index.ts';
import { createWiredShop, order, shopUrl } from './wired-shop.ts';

export const callbackUrl = `${shopUrl}/checkout/callbacks`;

/** A shop that its sandbox sends callbacks to, in this process, and that records the events of its handlers. */
export function createNotifiedShop(
  options: Partial<CheckoutOptions> = {},
  sandboxOptions: SandboxOptions = {},
) {
  let handler: FetchHandler = async () => new Response(null, { status: 503 });
  const notified: string[] = [];
  const note = ({ idempotencyKey }: OutcomeEvent): void => void notified.push(idempotencyKey);
  const shop = createWiredShop(
    {
      onPaid: note,
      onExpired: note,
      onReversed: note,
      onUnexpectedMoney: note,
      random: () => 0,
      ...options,
    },
    { fetch: (input, init) => handler(new Request(input, init)), ...sandboxOptions },
  );
  const { checkout, sandbox, clock, log } = shop;
  handler = checkout.handler;
  const pay = (accountNumber: string) =>
    sandbox.control.transfer({ accountNumber, amount: order.amount.value });
  /** Waits for the callbacks and their handlers. */
  const delivered = async (): Promise<void> => {
    await sandbox.settled();
    await checkout.settled();
  };
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
  /** The accepted callbacks. */
  const events = () =>
    log.flatMap((entry) => (entry.type === 'callback' ? `${entry.action} ${entry.kind}` : []));
  return { ...shop, notified, events, pay, delivered, callBack };
}
