import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { Session } from '../../../../src/contract/index.ts';
import type { PaymentFacts } from '../../kit/payment-facts.ts';
import type { Bank } from '../service/bank.ts';
import { asksForMoney } from '../shoppers/screens.ts';
import type { StoreLog } from '../store/watched-store.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

type Parts = { world: World; log: StoreLog; bank: Bank; serviceLagMs: number };

export type Decisions = ReturnType<typeof createDecisions>;

/** Creates the check that no new account or link is issued for an order that already has its money. */
export function createDecisions({ world, log, bank, serviceLagMs }: Parts) {
  const { clock, violate, count } = world;
  /** By decider and order: concurrent requests share a decision, which counts from the first of them. */
  const inProgress = new Map<object, Map<string, { sinceMs: number; requests: number }>>();

  const holdsMoney = ({ reference, outcome }: PaymentFacts, sinceMs: number): boolean => {
    const truth = bank.truthOf(reference);
    const isHeld = truth !== undefined && truth.charged > 0 && truth.reversedAtMs === undefined;
    return isHeld && outcome !== 'replaced' && truth.firstMoneyAtMs + serviceLagMs <= sinceMs;
  };

  return {
    /** Call when a session request arrives. Returns the check of its response. */
    begin(decider: object, orderId: string) {
      const byOrder = inProgress.get(decider) ?? new Map<string, { sinceMs: number; requests: number }>();
      inProgress.set(decider, byOrder);
      const decision = byOrder.get(orderId) ?? { sinceMs: clock.now(), requests: 0 };
      decision.requests++;
      byOrder.set(orderId, decision);
      return (response: PlainResponse | undefined): void => {
        if (--decision.requests === 0) byOrder.delete(orderId);
        if (response?.status !== 201) return;
        const session = JSON.parse(response.body ?? '') as Session;
        if (!asksForMoney(session)) return;
        count('accounts and links issued first');
        const others = [...log.records.values()].filter(
          (record) => record.orderId === orderId && record.reference !== session.reference,
        );
        const held = others.find((record) => record.opened !== null && holdsMoney(record, decision.sinceMs));
        if (held !== undefined)
          violate(
            'no second account while another payment holds money',
            orderId,
            `${session.reference} was issued while ${held.reference} held money`,
          );
      };
    },
  };
}

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
