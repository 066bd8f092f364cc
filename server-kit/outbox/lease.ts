import { settleWithin, type Wait } from '../async/wait.ts';
import type { OutboxEventRun } from '../stores/outbox-event.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';

export type LeaseOptions = {
  store: Store;
  wait: Wait;
  /** For how long an effect is taken, in milliseconds. It is renewed at a third of it. */
  leaseMs: number;
  /** Hears of renewals that fail. */
  log: Log;
};

/** An effect that is held while its handler runs. */
export type Lease = {
  /** Aborts when the effect is no longer ours, or has been held for ten leases. */
  signal: AbortSignal;
  /** Stops renewing. Leaves no timer. */
  release: () => void;
};

const renewalsPerLease = 3;
const maxLeases = 10;

/** The lease has ended by the third try after the last that was renewed. */
const maxFailures = 2;

/** Renews the lease of an effect until it is released, or lost. */
export function holdLease(options: LeaseOptions, run: OutboxEventRun): Lease {
  const ended = new AbortController();
  const released = new AbortController();
  renewUntilLost(options, run, released.signal).then(
    (reason) => ended.abort(reason),
    () => {},
  );
  return { signal: ended.signal, release: () => released.abort() };
}

/** Gives the reason why the effect must be let go of. Rejects when it is released. */
async function renewUntilLost(
  options: LeaseOptions,
  run: OutboxEventRun,
  released: AbortSignal,
): Promise<Error> {
  const { wait, leaseMs, log } = options;
  const intervalMs = leaseMs / renewalsPerLease;
  let failures = 0;
  for (let renewals = 0; renewals < maxLeases * renewalsPerLease; renewals++) {
    await wait(intervalMs, released, true);
    try {
      const isOurs = await renew(options, run, released);
      if (!isOurs) return new Error(`The lease of ${run.key} was lost: another instance has taken it over.`);
      failures = 0;
    } catch (error) {
      released.throwIfAborted();
      log({ type: 'leaseNotRenewed', key: run.key, error });
      if (++failures === maxFailures) return new Error(`The lease of ${run.key} could not be renewed.`);
    }
  }
  const seconds = Math.round((maxLeases * leaseMs) / 1000);
  return new Error(`The handler of ${run.key} took longer than ${seconds} seconds.`);
}

/** A handler in a transaction holds the effect by the transaction's own lock, for which a renewal would wait. */
async function renew({ store, wait, leaseMs }: LeaseOptions, run: OutboxEventRun, released: AbortSignal) {
  if (store.transact !== undefined) return true;
  const renewal = store.renewOutboxEvent(run, { leaseMs });
  return settleWithin(wait, leaseMs / renewalsPerLease, renewal, released);
}
