import type { PaymentsClient } from '../../core/client.ts';
import { PaymentsError } from '../../core/errors.ts';
import type { Log } from '../telemetry/log.ts';

/** How many verifications may start. Moments in milliseconds since the epoch. */
type Bucket = {
  permits: number;
  ratePerSecond: number;
  atMs: number;
  decreasedAtMs: number;
  pausedUntilMs: number;
};

/** No 429 makes the rate lower, so that nothing waits forever. */
const minPerSecond = 1;

/** After a 429 the rate is halved; then this share of the maximum is added in a second. */
const growthShare = 0.05;

/** Once the service has refused, no more than this is saved up. */
const burstSeconds = 0.1;

/** A 429 counts once for all requests that were under way. */
const settleMs = 300;

const newBucket = (maxPerSecond: number, nowMs: number): Bucket => ({
  permits: maxPerSecond,
  ratePerSecond: maxPerSecond,
  atMs: nowMs,
  decreasedAtMs: -Infinity,
  pausedUntilMs: -Infinity,
});

function refill(bucket: Bucket, maxPerSecond: number, nowMs: number): Bucket {
  const seconds = Math.max(0, nowMs - Math.max(bucket.atMs, bucket.pausedUntilMs)) / 1000;
  const ratePerSecond = Math.min(maxPerSecond, bucket.ratePerSecond + maxPerSecond * growthShare * seconds);
  const most = Math.max(1, ratePerSecond * (ratePerSecond < maxPerSecond ? burstSeconds : 1));
  const permits = Math.min(most, bucket.permits + bucket.ratePerSecond * seconds);
  return { ...bucket, ratePerSecond, permits, atMs: nowMs };
}

/** Takes a permit: returns 0, or the time until there is one, in milliseconds. */
function takePermit(before: Bucket, maxPerSecond: number, nowMs: number): [Bucket, number] {
  const bucket = refill(before, maxPerSecond, nowMs);
  if (nowMs < bucket.pausedUntilMs) return [bucket, bucket.pausedUntilMs - nowMs];
  if (bucket.permits >= 1) return [{ ...bucket, permits: bucket.permits - 1 }, 0];
  return [bucket, Math.max(1, Math.ceil(((1 - bucket.permits) / bucket.ratePerSecond) * 1000))];
}

/** Slows down after a 429 for a request that was sent at `sentAtMs`. */
function refusePermits(
  before: Bucket,
  maxPerSecond: number,
  { sentAtMs, pauseMs, nowMs }: { sentAtMs: number; pauseMs: number; nowMs: number },
): Bucket {
  const bucket = { ...refill(before, maxPerSecond, nowMs), permits: 0 };
  const pausedUntilMs = Math.max(bucket.pausedUntilMs, nowMs + pauseMs);
  if (sentAtMs <= bucket.decreasedAtMs + settleMs) return { ...bucket, pausedUntilMs };
  const ratePerSecond = Math.max(minPerSecond, bucket.ratePerSecond / 2);
  return { ...bucket, ratePerSecond, pausedUntilMs, decreasedAtMs: nowMs };
}

/** For a 429 without `Retry-After`. */
const defaultPauseMs = 1000;

/** During a longer pause of the service, one request each 30 seconds probes it. */
const maxPauseMs = 30_000;

/** Whether the service has responded 429. */
export const isLimited = (error: unknown): error is PaymentsError =>
  error instanceof PaymentsError && error.code === 'rate_limited';

export type Permits = ReturnType<typeof createPermits>;

/** Creates this instance's permits to verify, which obey the 429 of the service. */
export function createPermits(maxPerSecond: number, { now, log }: { now: () => number; log: Log }) {
  let bucket = newBucket(maxPerSecond, now());
  /** Starts again when the clock was set back. */
  const current = (): Bucket => (now() < bucket.atMs ? newBucket(maxPerSecond, now()) : bucket);
  const watch =
    <Args extends unknown[], Result>(send: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const sentAtMs = now();
      try {
        return await send(...args);
      } catch (error) {
        if (isLimited(error)) refuse(sentAtMs, error.retryAfterSeconds);
        throw error;
      }
    };
  function refuse(sentAtMs: number, retryAfterSeconds = defaultPauseMs / 1000): void {
    const pauseMs = Math.min(Math.max(1, Math.ceil(retryAfterSeconds * 1000)), maxPauseMs);
    const { decreasedAtMs } = current();
    bucket = refusePermits(current(), maxPerSecond, { sentAtMs, pauseMs, nowMs: now() });
    const { ratePerSecond } = bucket;
    if (bucket.decreasedAtMs !== decreasedAtMs) log({ type: 'serviceLimited', pauseMs, ratePerSecond });
  }
  return {
    take(): number {
      const [next, afterMs] = takePermit(current(), maxPerSecond, now());
      bucket = next;
      return afterMs;
    },
    /** Takes a permit in any case: the next ones come later. */
    spend(): void {
      bucket = { ...current(), permits: Math.max(-bucket.ratePerSecond, bucket.permits - 1) };
    },
    /** Returns the same client, whose 429 slow the verifications down. */
    watch({ payments, checkout, ...client }: PaymentsClient): PaymentsClient {
      const { initiate, retrieve, verify } = payments;
      return {
        ...client,
        payments: {
          ...payments,
          initiate: watch(initiate),
          retrieve: watch(retrieve),
          verify: watch(verify),
        },
        checkout: { ...checkout, create: watch(checkout.create) },
      };
    },
  };
}
