import {
  createPaymentsClient,
  type OpenPaymentRequest,
  openPayment,
} from '../../../server-kit/core/index.ts';
import { createSandbox, sandboxCredentials } from '../../../server-kit/tools/sandbox/index.ts';
import type { Account, Money } from '../../../src/contract/index.ts';
import { createTestClock } from '../kit/test-clock.ts';

export const request = {
  reference: 'order_1',
  amount: { value: 1_250_000, currency: 'NGN' },
  expiresIn: 1800,
} as const satisfies OpenPaymentRequest;

/** A platform's server: the client, and a sandbox on a test clock, with a wire between them that a test can break. */
export function createPlatform() {
  const clock = createTestClock();
  const sandbox = createSandbox({ now: clock.now, fetch: async () => new Response(null, { status: 204 }) });
  const calls: string[] = [];
  const wire: { intercept?: (path: string, send: () => Promise<Response>) => Promise<Response> } = {};
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname } = new URL(String(input));
    calls.push(pathname);
    const send = () => sandbox.fetch(String(input), init);
    return wire.intercept?.(pathname, send) ?? send();
  };
  const client = createPaymentsClient({
    baseUrl: 'https://service.example',
    ...sandboxCredentials,
    fetch,
    now: clock.now,
    wait: (ms, signal) => (ms === 5000 || ms === 15_000 ? clock.wait(ms, signal) : Promise.resolve()),
  });
  const open = (change: Partial<OpenPaymentRequest> = {}) => openPayment(client, { ...request, ...change });
  const { control } = sandbox;
  const pay = ({ account, amount }: { account: Account; amount: Money }, value = amount.value) =>
    control.transfer({ accountNumber: account.number, amount: value });
  return { clock, client, calls, wire, open, pay, control };
}

/** Lets the service do the work, and loses the response. */
export const loseResponse = async (send: () => Promise<Response>): Promise<never> => {
  await send();
  throw new TypeError('fetch failed');
};
