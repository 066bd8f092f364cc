import type { Wait } from '../async/wait.ts';
import { isOpened, type OpenedRecord } from '../payments/payment-view.ts';
import type { Recorder } from '../payments/recorder.ts';
import type { OpenedPayment, PaymentRecord } from '../stores/payment-record.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * The lease under which one instance calls the service for a payment whose account is not known yet. The instance writes a
 * heartbeat every second, so that the others wait for it only while it lives.
 */
export type OpeningOptions = {
  store: Store;
  recorder: Recorder;
  wait: Wait;
  /** Identifies this process among those that share the store. */
  instanceId: string;
  log: Log;
};

const beatMs = 1000;
/** An instance without a heartbeat for this long counts as dead. If it is alive, it finds its payment taken. */
const silenceMs = 2500;
const rereadMs = 250;

/** Each lost write was another instance's progress; this many in a row are a fault of the store. */
const maxSaves = 8;

const isUnopened = (record: PaymentRecord | undefined): record is PaymentRecord =>
  record?.outcome === 'pending' && !isOpened(record);

/** Takes the payment for this instance. Returns `undefined` if another write came first. */
export const takeOpening = (
  { recorder, instanceId }: OpeningOptions,
  record: PaymentRecord,
): Promise<PaymentRecord | undefined> => recorder.save({ ...record, opening: { by: instanceId, beats: 0 } });

/**
 * Waits while another live instance opens the payment. Resolves to the record when that instance is silent, so that it can be
 * taken over, and to `undefined` when the opening has ended in any way: start again from what is stored.
 *
 * @throws the signal's reason
 */
export async function waitUntilAbandoned(
  { store, wait, instanceId }: OpeningOptions,
  record: PaymentRecord,
  signal: AbortSignal,
): Promise<PaymentRecord | undefined> {
  const { opening } = record;
  if (opening === undefined || opening.by === instanceId) return record;
  let last = record;
  for (let silentMs = 0; silentMs < silenceMs; silentMs += rereadMs) {
    await wait(rereadMs, signal);
    const current = await store.findByReference(record.reference);
    if (!isUnopened(current) || current.opening?.by !== opening.by) return undefined;
    if (current.opening.beats !== last.opening?.beats) silentMs = 0;
    last = current;
  }
  return last;
}

/** Writes heartbeats while `work` runs. */
export async function whileBeating<T>(
  options: OpeningOptions,
  { reference }: PaymentRecord,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const beat = () =>
    changeUnopened(options, reference, ({ opening, ...record }) => ({
      ...record,
      opening: { by: options.instanceId, beats: (opening?.beats ?? 0) + 1 },
    }));
  const keepBeating = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await options.wait(beatMs, ended.signal, true).catch(() => {});
      if (!ended.signal.aborted) await beat().catch((error: unknown) => logFailure(options, error));
    }
  };
  const beating = keepBeating();
  try {
    return await work();
  } finally {
    ended.abort();
    // A heartbeat that is under way would take the payment again after it was left.
    await beating;
  }
}

const logFailure = ({ log }: OpeningOptions, error: unknown): void =>
  log({ type: 'backgroundFailed', error });

/** Records what the service has created. Returns `undefined` if the payment was opened or closed meanwhile. */
export async function saveOpened(
  options: OpeningOptions,
  { reference }: PaymentRecord,
  opened: OpenedPayment,
): Promise<OpenedRecord | undefined> {
  const stored = await changeUnopened(options, reference, ({ opening: _, ...record }) => ({
    ...record,
    opened,
  }));
  return isOpened(stored) ? stored : undefined;
}

/** Gives up the lease after a failed call, so that the next request can open the payment. */
export async function leaveOpening(options: OpeningOptions, { reference }: PaymentRecord): Promise<void> {
  await changeUnopened(options, reference, ({ opening: _, ...record }) => record).catch((error: unknown) =>
    logFailure(options, error),
  );
}

/** Retries lost writes: the service may send a callback before its response arrives. */
async function changeUnopened(
  { store, recorder }: OpeningOptions,
  reference: string,
  change: (record: PaymentRecord) => PaymentRecord,
): Promise<PaymentRecord | undefined> {
  for (let saves = 0; saves < maxSaves; saves++) {
    const current = await store.findByReference(reference);
    if (!isUnopened(current)) return undefined;
    const stored = await recorder.save(change(current));
    if (stored !== undefined) return stored;
  }
  return undefined;
}
