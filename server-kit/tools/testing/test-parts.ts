import { CheckoutError } from '../../../src/contract/index.ts';
import { createPaymentsClient } from '../../core/client.ts';
import type { CheckoutOptions } from '../../engine/options.ts';
import { sandboxCredentials, testShopKey } from '../../engine/published-keys.ts';
import { createDialect } from '../../service/dialect.ts';
import { createMemoryStore } from '../../stores/memory.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/index.ts';
import type { TestClock } from './test-clock.ts';

/** Options for `createCheckout` with the test's clock and sandbox. */
export type TestParts = ReturnType<typeof createParts>;

export const publicUrl = 'https://shop.example';

/** The longest pause of the client between two attempts. */
const longestPauseMs = 4000;

export function createParts(
  sandbox: Sandbox,
  dialect: SandboxOptions['dialect'],
  { now, wait }: TestClock,
  errors: unknown[],
) {
  return {
    client: createPaymentsClient({
      ...sandboxCredentials,
      baseUrl: 'https://payments.example',
      fetch: sandbox.fetch,
      now,
      dialect: createDialect(dialect),
      // Pauses between attempts take no time; longer waits are timeouts.
      wait: (ms, signal) => (ms > longestPauseMs ? wait(ms, signal) : Promise.resolve()),
    }),
    store: createMemoryStore({ now }),
    clientSecretKeys: [testShopKey],
    publicUrl,
    // The merchant's own checkout may have its real publicUrl.
    allowSandbox: true,
    getOrder(): never {
      const message = 'The test shop has no getOrder; pass one, or call checkout.createSession.';
      throw new CheckoutError('forbidden', message);
    },
    // On a clock that does not move, a wait for budget would not end.
    maxVerificationsPerSecond: 10_000,
    testing: { now, wait, random: () => 0.5 },
    onLog: (entry) => 'error' in entry && errors.push(entry.error),
  } satisfies Partial<CheckoutOptions>;
}
