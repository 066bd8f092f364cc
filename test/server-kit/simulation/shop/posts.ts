import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { Session } from '../../../../src/contract/index.ts';
import type { PaymentFacts } from '../../kit/payment-facts.ts';
import type { Bank } from '../service/bank.ts';
import { asksForMoney } from '../shoppers/screens.ts';
import type { StoreLog } from '../store/watched-store.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

type Parts = { world: World; log: StoreLog; bank: Bank; serviceLagMs: number };

/** The shopper gets a response within this time, whatever the service does. */
const longestPostMs = 15_000;

export type WatchPost = ReturnType<typeof createPostWatch>;

/** Creates the checks of requests for an account or a link: the response comes soon, and no account is issued for an order that already has its money. */
export function createPostWatch({ world, log, bank, serviceLagMs }: Parts) {
  const { clock, violate, count } = world;
  /** By process and order: concurrent requests share a decision, which counts from the first of them. */
  const inProgress = new Map<string, { sinceMs: number; requests: number }>();

  const holdsMoney = ({ reference, outcome, opened }: PaymentFacts, sinceMs: number): boolean => {
    const truth = bank.truthOf(reference);
    const isHeld = truth !== undefined && truth.charged > 0 && truth.reversedAtMs === undefined;
    const isShown = opened !== null && outcome !== 'replaced';
    return isHeld && isShown && truth.firstMoneyAtMs + serviceLagMs <= sinceMs;
  };

  const checkIssued = (orderId: string, { status, body = '' }: PlainResponse, sinceMs: number): void => {
    if (status !== 201) return;
    const session = JSON.parse(body) as Session;
    if (!asksForMoney(session)) return;
    count('accounts and links issued first');
    const { reference } = session;
    const held = [...log.records.values()].find(
      (record) => record.orderId === orderId && record.reference !== reference && holdsMoney(record, sinceMs),
    );
    if (held === undefined) return;
    const text = `${reference} was issued while ${held.reference} held money`;
    violate('no second account while another payment holds money', orderId, text);
  };

  return async (orderId: string, process: SimulatedProcess, responded: Promise<PlainResponse>) => {
    const key = `${process.name} ${orderId}`;
    const startedMs = clock.now();
    const decision = inProgress.get(key) ?? { sinceMs: startedMs, requests: 0 };
    decision.requests++;
    inProgress.set(key, decision);
    // Freezes of the process and delays by the store are not counted.
    const stalledBeforeMs = process.stalledMs() - Math.max(0, process.disturbedUntilMs() - startedMs);
    try {
      const response = await responded;
      checkIssued(orderId, response, decision.sinceMs);
      return response;
    } finally {
      if (--decision.requests === 0) inProgress.delete(key);
      const tookMs = Math.round(clock.now() - startedMs - (process.stalledMs() - stalledBeforeMs));
      if (tookMs > longestPostMs && process.isAlive())
        violate('a POST gets a response within 15 s', orderId, `it took ${tookMs} ms`);
    }
  };
}
