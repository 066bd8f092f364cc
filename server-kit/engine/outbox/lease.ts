import { type Wait, within } from '../../core/time.ts';
import type { OutboxEventRun, Store } from '../store.ts';
import type { Log } from '../telemetry/log.ts';

/** How an event is leased while its handler runs. */
export type Lease = {
  store: Store;
  wait: Wait;
  /** How long an event is leased, in milliseconds. The lease is renewed after each third of that. */
  leaseMs: number;
  log: Log;
};

const renewalsPerLease = 3;
const maxLeases = 10;

/** The share of the time between two renewals that one may take: so two that hang after each other have ended before the lease. */
const patienceShare = 1 / 4;
const maxFailures = 2;

/**
 * Renews the lease of an outbox event until it is lost, or has lasted ten times its length, and returns why it has ended. Calls `onLong`
 * with each renewal once it has lasted its length. Rejects when `released` aborts.
 */
export async function renewUntilLost(
  { store, leaseMs, log, ...lease }: Lease,
  run: OutboxEventRun,
  onLong: () => void,
  released: AbortSignal,
): Promise<Error> {
  const wait: Wait = (ms, signal) => lease.wait(ms, signal, true);
  const renewalMs = leaseMs / renewalsPerLease;
  const renew = () =>
    within(
      wait,
      renewalMs * patienceShare,
      async () => store.updateOutboxEvent(run, { state: 'running', leaseMs }),
      released,
    );
  let failures = 0;
  for (let renewals = 1; renewals <= maxLeases * renewalsPerLease; renewals++) {
    await wait(renewalMs, released);
    if (renewals >= renewalsPerLease) onLong();
    try {
      if ((await renew()) === undefined)
        return new Error(`The lease of ${run.key} was lost: another instance has taken it over.`);
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
