import type { PlainResponse } from '../../../../server-kit/http/plain-http.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

/** How long shoppers wait for the response to a POST, in which they see nothing. */
export type Timing = {
  /** Gives the response, and checks that it comes in time. What the machine or the store has held up is not counted. */
  measure: (
    orderId: string,
    process: SimulatedProcess,
    response: Promise<PlainResponse>,
  ) => Promise<PlainResponse>;
};

/** However the service behaves, the shopper gets a response by then. */
const longestPostMs = 15_000;

export function createTiming({ clock, violate, peak }: World): Timing {
  return {
    async measure(orderId, process, response) {
      const startedMs = clock.now();
      const heldMs = process.heldMs() - Math.max(0, process.disturbedAtMs() - startedMs);
      try {
        return await response;
      } finally {
        const tookMs = Math.round(clock.now() - startedMs - (process.heldMs() - heldMs));
        peak('milliseconds of a POST', tookMs);
        if (tookMs > longestPostMs && process.isAlive())
          violate('a POST gets a response within 15 s', orderId, `it took ${tookMs} ms`);
      }
    },
  };
}
