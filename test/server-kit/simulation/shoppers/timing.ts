import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

/** The shopper gets a response within this time, whatever the service does. */
const longestPostMs = 15_000;

export type Timing = ReturnType<typeof createTiming>;

/** Creates the measure of how long shoppers wait for the response to a POST. Freezes of the process and delays by the store are not counted. */
export function createTiming({ clock, violate, peak }: World) {
  return {
    async measure(orderId: string, process: SimulatedProcess, response: Promise<PlainResponse>) {
      const startedMs = clock.now();
      const stalledBeforeMs = process.stalledMs() - Math.max(0, process.disturbedUntilMs() - startedMs);
      try {
        return await response;
      } finally {
        const tookMs = Math.round(clock.now() - startedMs - (process.stalledMs() - stalledBeforeMs));
        peak('milliseconds of a POST', tookMs);
        if (tookMs > longestPostMs && process.isAlive())
          violate('a POST gets a response within 15 s', orderId, `it took ${tookMs} ms`);
      }
    },
  };
}
