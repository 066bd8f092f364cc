import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { RequestParts } from '../shop/plain-requests.ts';
import type { World } from '../world/world.ts';

/** Delivers callbacks from the service to the shop. Loses, doubles and delays callbacks, and loses responses to them. */
export function callbackPort(
  world: World,
  send: (request: RequestParts) => Promise<PlainResponse>,
  onAcknowledged: (reference: string, sentAtMs: number) => void,
): typeof globalThis.fetch {
  const { clock, count, faults } = world;
  const random = world.random.fork('callbacks');

  const deliver = async (url: string, init: RequestInit): Promise<number> => {
    const body = String(init.body);
    const { reference } = (JSON.parse(body) as { data: { reference: string } }).data;
    const sentAtMs = clock.now();
    const { status } = await send({
      method: 'POST',
      url,
      headers: init.headers as Record<string, string>,
      body,
    });
    count(status === 204 ? 'callbacks acknowledged' : 'callbacks refused');
    if (status === 204) onAcknowledged(reference, sentAtMs);
    return status;
  };

  return async (input, init = {}) => {
    const url = String(input);
    count('callbacks sent');
    await clock.wait(random.between(10, 500));
    if (random.chance(faults())) {
      count('callbacks lost');
      throw new TypeError('fetch failed');
    }
    if (random.chance(faults())) {
      count('callbacks doubled');
      // Sometimes later than the tolerance of signatures.
      const again = (): void => void deliver(url, init).catch(() => {});
      clock.after(random.between(0, random.chance(0.8) ? 120_000 : 600_000), again);
    }
    const status = await deliver(url, init);
    if (random.chance(faults())) {
      count('callback responses lost');
      throw new TypeError('fetch failed');
    }
    return new Response(null, { status });
  };
}
