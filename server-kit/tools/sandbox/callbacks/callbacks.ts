import { convertAmounts, toWireAmount } from '../../../core/fields.ts';
import type { SandboxSettings } from '../settings/options.ts';
import type { SandboxClock } from '../state/clock.ts';
import type { Collection } from '../state/collection.ts';
import type { Mint } from '../state/mint.ts';
import type { Journal } from '../state/storage.ts';
import { createBacklog } from './backlog.ts';
import {
  addAttempt,
  addPlan,
  type CallbackRecord,
  type DeliverySwitch,
  type DeliverySwitchRecord,
  type NextAttempt,
} from './callback.ts';
import { eventName, type NotifiedRecord, notifiedRecords } from './notified-records.ts';
import { sendCallback } from './send-callback.ts';

/** How many lanes are delivered in parallel. */
const maxParallelLanes = 50;

/** A change of a record to report to the merchant. */
type RecordChange = {
  record: NotifiedRecord;
  id: string;
  /** The new status: the second half of the event's name. */
  status: string;
  /** `null` for no callback. */
  callbackUrl: string | null;
  /**
   * The record as its endpoint returns it, with amounts in minor units. It is serialized now, so that it does not show
   * later changes. The `accessToken` is left out, because callbacks cross networks that must not see it.
   */
  data: object;
};

/** What creating and delivering callbacks needs. */
export type CallbackParts = {
  settings: SandboxSettings;
  clock: SandboxClock;
  mint: Mint;
  journal: Journal;
  state: { callbacks: Collection<CallbackRecord>; callbackDelivery: Collection<DeliverySwitchRecord> };
};

export type Callbacks = ReturnType<typeof createCallbacks>;

/**
 * Creates and delivers callbacks, in lanes: those of one record are sent one after another; those of different records do not
 * wait for each other.
 */
export function createCallbacks(parts: CallbackParts) {
  const { clock, state } = parts;
  /** Each has its own signal, because Node warns about many listeners on one. */
  const busy = new Map<string, { delivery: Promise<void>; ending: AbortController }>();
  let isClosed = false;

  const readDelivery = (): DeliverySwitch => readSwitch(state.callbackDelivery);
  const backlog = createBacklog(state.callbacks, () => readDelivery().reorder);
  const nextIn = (lane: string): NextAttempt | undefined =>
    isClosed ? undefined : backlog.nextAttempt(lane, clock.now());

  /** Sends the due callbacks of a lane one after another. */
  async function deliverLane(name: string, ending: AbortSignal): Promise<void> {
    try {
      for (let next = nextIn(name); next !== undefined; next = nextIn(name))
        await sendPlanned(parts, backlog, next, ending);
    } catch (error) {
      // The storage has failed, for good.
      isClosed = true;
      throw error;
    } finally {
      busy.delete(name);
      deliverDue();
    }
  }

  /** Starts due deliveries, longest waiting first, up to the limit of parallel ones. */
  function deliverDue(): void {
    if (isClosed || busy.size >= maxParallelLanes) return;
    const due = backlog.due(clock.now()).filter((lane) => !busy.has(lane));
    for (const name of due.slice(0, maxParallelLanes - busy.size)) {
      const ending = new AbortController();
      const delivery = deliverLane(name, ending.signal);
      busy.set(name, { delivery, ending });
      // `inProgress` and every response report the failure; without a caller it would be an unhandled rejection.
      delivery.catch(() => {});
    }
  }

  return {
    readDelivery,
    deliverDue,
    /** Plans the callback for a change of a record with a callback URL. It is sent after this call. */
    notify(change: RecordChange): void {
      if (change.callbackUrl !== null)
        backlog.put(createRecord(change, change.callbackUrl, parts, readDelivery()));
    },
    /** Plans an additional attempt for now. */
    resend: (callback: CallbackRecord): CallbackRecord =>
      backlog.put(addPlan(callback, { atMs: clock.now(), reason: 'resend' })),
    /** Sets deliberate delivery problems. */
    setDelivery(setting: DeliverySwitch): void {
      state.callbackDelivery.put({ id: 'callback_delivery', ...setting });
      backlog.planAll();
    },
    /** When the next callback is due, in milliseconds since the epoch; infinite for none. */
    nextDueMs: (): number => backlog.nextDueMs(clock.now()),
    /** Makes planned attempts earlier, so that a clock that was set back does not delay them. */
    bringForward(byMs: number): void {
      for (const callback of backlog.pending()) {
        backlog.put({
          ...callback,
          planned: callback.planned.map((plan) => ({ ...plan, atMs: plan.atMs - byMs })),
        });
      }
    },
    /** The deliveries in progress. They reject when the journal fails. */
    inProgress: (): readonly Promise<void>[] => [...busy.values()].map(({ delivery }) => delivery),
    /** Starts no more deliveries and aborts those in progress, which stay planned. */
    close(): void {
      isClosed = true;
      for (const { ending } of busy.values()) ending.abort();
    },
  };
}

async function sendPlanned(
  { settings, clock, journal, state }: CallbackParts,
  backlog: ReturnType<typeof createBacklog>,
  { callback, plan }: NextAttempt,
  ending: AbortSignal,
): Promise<void> {
  // A callback must not report a change that a restart could lose.
  await journal.commit();
  const made = await sendCallback(callback, plan.reason, settings, clock, ending);
  if (made === undefined) return;
  // The stored record has later plans, such as a requested resend.
  const current = state.callbacks.get(callback.id) ?? callback;
  backlog.put(addAttempt(current, made, clock.now(), settings.dialect));
}

function readSwitch(kept: CallbackParts['state']['callbackDelivery']): DeliverySwitch {
  const off = { drop: 0, double: 0, delaySeconds: 0, reorder: false };
  const { drop, double, delaySeconds, reorder } = kept.get('callback_delivery') ?? off;
  return { drop, double, delaySeconds, reorder };
}

/** Creates the callback for a change. Whether it is dropped, doubled or delayed is decided here. */
function createRecord(
  change: RecordChange,
  url: string,
  { settings, clock, mint }: CallbackParts,
  { drop, double, delaySeconds }: DeliverySwitch,
): CallbackRecord {
  const happens = (probability: number): boolean =>
    probability === 1 || (probability > 0 && settings.random() < probability);
  const { record, id: recordId, status } = change;
  const { accessToken: _secret, ...data } = change.data as Record<string, unknown>;
  const { dialect } = settings;
  const isDropped = happens(drop);
  const createdAtMs = clock.now();
  const event = eventName(record, status, dialect);
  const shown = convertAmounts(data, notifiedRecords[record].amounts, (amount) =>
    toWireAmount(amount, dialect.amountUnit),
  );
  return {
    id: mint.id('cbk'),
    event,
    record,
    recordId,
    reference: typeof data.reference === 'string' ? data.reference : null,
    url,
    body: JSON.stringify({ event, data: shown }),
    createdAtMs,
    isDropped,
    isDoubled: !isDropped && happens(double),
    planned: isDropped ? [] : [{ atMs: createdAtMs + delaySeconds * 1000, reason: 'first' }],
    attempts: [],
  };
}
