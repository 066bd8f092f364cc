/** How far apart the verifications of a payment are for which a shopper merely waits. */
export type Spacing = {
  /** Money was seen on a payment: by a verification that a callback had asked for, or without one. */
  seeMoney: (isNamedByCallback: boolean) => void;
  /** The least time between two, in milliseconds, where so many payments are waited for on this instance. */
  leastMs: (waitingPayments: number) => number;
  /** The same with jitter, so that those who came together do not stay together. */
  intervalMs: (waitingPayments: number) => number;
};

export type SpacingOptions = {
  /** The least time between two verifications of one payment. */
  verificationIntervalMs: number;
  now: () => number;
  /** From 0 up to, not including, 1. */
  random: () => number;
};

/** Where callbacks arrive, one who waits among many is verified this seldom. */
export const seldomMs = 30_000;

/** Where callbacks arrive, all who merely wait on this instance are verified this often in a second, however many they are. */
const waitingPerSecond = 20;

/** Callbacks arrived: the service may have stopped sending them since. */
const evidenceMs = 600_000;

/** Of the last payments that received money, this part was named by a callback first. */
const arrivingShare = 0.75;
const rememberedPayments = 40;

/**
 * Callbacks make it unnecessary to ask often, as long as they arrive. That is learned from the money that was seen: as a
 * rule a callback has asked for the verification that saw it, or callbacks are late or lost, and everybody who waits is
 * verified at the look interval again, as far as the budget allows.
 */
export function createSpacing({ verificationIntervalMs, now, random }: SpacingOptions): Spacing {
  let named = 0;
  let unnamed = 0;
  let namedAt: number | undefined;

  const doCallbacksArrive = (): boolean => {
    if (namedAt === undefined || Math.abs(now() - namedAt) > evidenceMs) return false;
    return named >= (named + unnamed) * arrivingShare;
  };

  const leastMs = (waitingPayments: number): number => {
    if (!doCallbacksArrive()) return verificationIntervalMs;
    return Math.max(verificationIntervalMs, Math.min((waitingPayments / waitingPerSecond) * 1000, seldomMs));
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
    leastMs,
    intervalMs(waitingPayments) {
      const ms = leastMs(waitingPayments);
      return ms === verificationIntervalMs ? ms : ms * (1 + random() / 4);
    },
  };
}
