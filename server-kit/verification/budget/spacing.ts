import { fairShare } from '../../fairness/fair-share.ts';

/** A client whose shoppers wait here. */
export type WaitingClient = {
  /** How many payments they wait for. */
  payments: number;
  /** The verifications per second that the client may have while callbacks arrive. */
  perSecond: number;
};

/** The spacing between the verifications of a payment for which only a shopper waits. */
export type Spacing = {
  /** Records that a verification has found money, and whether a callback had requested it. */
  seeMoney: (isNamedByCallback: boolean) => void;
  /** Returns the verifications per second that a client may have, if shoppers of each client wait for so many payments. */
  shareOf: (waitingPayments: readonly number[]) => number;
  /** Returns the minimum time between two for a payment of this client, in milliseconds. */
  leastMs: (client: WaitingClient) => number;
  /** Returns the same with jitter, which spreads shoppers who came together. */
  intervalMs: (client: WaitingClient) => number;
};

export type SpacingOptions = {
  /** The minimum time between two verifications of one payment. */
  verificationIntervalMs: number;
  now: () => number;
  /** From 0 up to, not including, 1. */
  random: () => number;
};

/** The longest spacing while callbacks arrive. */
const seldomMs = 30_000;

/** While callbacks arrive, the verifications per second for all waiting shoppers of this instance together, in fair shares. */
const waitingPerSecond = 20;

/** Evidence older than this does not count: the service may have stopped sending callbacks. */
const evidenceMs = 600_000;

/** Callbacks count as arriving if they named this share of the last payments with money before the verification. */
const arrivingShare = 0.75;
const rememberedPayments = 40;

/**
 * Creates the spacing. While callbacks arrive, frequent verifications are unnecessary. Whether they arrive is learned from the
 * money that is found: either a callback had usually requested the verification that found it, or callbacks are late or lost,
 * and payments are verified at the minimum interval again, as far as the budget allows.
 */
export function createSpacing({ verificationIntervalMs, now, random }: SpacingOptions): Spacing {
  let named = 0;
  let unnamed = 0;
  let namedAt: number | undefined;

  const doCallbacksArrive = (): boolean => {
    if (namedAt === undefined || Math.abs(now() - namedAt) > evidenceMs) return false;
    return named >= (named + unnamed) * arrivingShare;
  };

  const leastMs = ({ payments, perSecond }: WaitingClient): number => {
    if (!doCallbacksArrive()) return verificationIntervalMs;
    return Math.max(verificationIntervalMs, Math.min((payments / perSecond) * 1000, seldomMs));
  };

  return {
    seeMoney(isNamedByCallback) {
      if (named + unnamed >= rememberedPayments) {
        named /= 2;
        unnamed /= 2;
      }
      if (isNamedByCallback) {
        named++;
        namedAt = now();
      } else unnamed++;
    },
    shareOf(waitingPayments) {
      const wanted = waitingPayments.map((payments) => (payments * 1000) / verificationIntervalMs);
      return fairShare(wanted, waitingPerSecond);
    },
    leastMs,
    intervalMs(client) {
      const ms = leastMs(client);
      return ms === verificationIntervalMs ? ms : ms * (1 + random() / 4);
    },
  };
}
