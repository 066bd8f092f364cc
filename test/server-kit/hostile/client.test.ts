import { describe, expect, it } from 'vitest';
import { createPaymentsClient, type PaymentsClient } from '../../../server-kit/core/client.ts';
import { PaymentsError } from '../../../server-kit/core/errors.ts';
import { listPayouts } from '../../../server-kit/service/index.ts';
import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';
import { initiationRequest } from '../kit/client-kit.ts';
import { watchProcess } from '../kit/raw-connection.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { attacks } from './attacks.ts';
import { startHostileServer } from './hostile-server.ts';
import { createWatchedTime, watchFetch } from './watched-time.ts';

/** A client and a service that may lie to it, with a payment that the service knows. */
async function startClient() {
  const clock = createTestClock();
  const died = watchProcess();
  const sandbox = createSandbox({ now: clock.now, fetch: async () => new Response(null, { status: 204 }) });
  const server = await startHostileServer(sandbox.fetch, clock);
  const { fetch, underWay, bytesRead } = watchFetch();
  const client = createPaymentsClient({
    baseUrl: server.url,
    apiSecret: 'sk_test_sandbox',
    fetch,
    now: clock.now,
    wait: clock.wait,
    random: () => 0.5,
  });
  const time = createWatchedTime({ clock, callsUnderWay: underWay, callsWaiting: server.waiting });
  await time.within(0, client.payments.initiate({ ...initiationRequest, reference: 'known' }));
  return { client, server, time, died, bytesRead };
}

const calls: Record<string, (client: PaymentsClient) => Promise<unknown>> = {
  'payments.verify': ({ payments }) => payments.verify('known'),
  'payments.initiate': ({ payments }) => payments.initiate(initiationRequest),
  'checkout.create': ({ checkout }) => {
    const { paymentMethod: _, ...request } = initiationRequest;
    return checkout.create(request);
  },
  'payouts.list': async (client) => listPayouts(client),
};
const rows = Object.entries(attacks).flatMap(([name, { attack, codes }]) =>
  Object.entries(calls).map(([operation, call]) => ({ name, operation, attack, codes, call })),
);

/** Four attempts with their time-outs and the pauses between them. */
const mostMs = 4 * 15_000 + 3 * 8000;
/** What the client may read in four attempts, and the chunk in which it sees that it is too much. */
const mostBytesOf = (operation: string): number =>
  operation === 'payouts.list' ? 4 * 10_100_000 : 4 * (65_536 + 65_536);

describe.each(rows)('a service that $name, called for $operation', ({ operation, attack, codes, call }) => {
  it('ends with a typed error, in time, and without reading on', async () => {
    const { client, server, time, died, bytesRead } = await startClient();
    const before = bytesRead();
    server.attack = attack;
    const failed = call(client).then(
      (value) => expect.unreachable(`It was believed: ${JSON.stringify(value)}`),
      (error: unknown) => error,
    );
    const { result: error } = await time.within(mostMs, failed);
    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toMatchObject({ code: expect.toBeOneOf([...codes]), operation });
    expect(bytesRead() - before).toBeLessThanOrEqual(mostBytesOf(operation));
    expect(server.seen.join()).not.toContain('stolen');
    expect(died).toEqual([]);
  });
});
