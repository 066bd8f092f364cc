import { convertAmounts, toWireAmount } from '../../../client/api/amount-unit.ts';
import type { SandboxSettings } from '../settings/options.ts';
import type { SandboxClock } from '../state/clock.ts';
import type { Collection } from '../state/collection.ts';
import type { Mint } from '../state/mint.ts';
import type { Journal } from '../state/storage.ts';
import {
  addAttempt,
  addPlan,
  type CallbackRecord,
  type DeliverySwitch,
  type DeliverySwitchRecord,
  type NextAttempt,
  nextAttempts,
} from './callback.ts';
import { eventName, type NotifiedRecord, notifiedRecords } from './notified-records.ts';
import { sendCallback } from './send-callback.ts';

/** How many finished callbacks are kept. */
export const maxFinishedCallbacks = 1_000;

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

type Lane = { ids: Set<string>; dueMs: number };

const laneOf = ({ record, recordId }: CallbackRecord): string => `${record} ${recordId}`;

/**
 * Creates and delivers callbacks, in lanes: those of one record are sent one after another; those of different records do not
 * wait for each other.
 */
export function createCallbacks({ settings, clock, mint, journal, state }: CallbackParts) {
  /** Records with planned attempts. */
  const lanes = new Map<string, Lane>();
  const finished = new Set<string>();
  /** Each has its own signal, because Node warns about many listeners on one. */
  const busy = new Map<string, { delivery: Promise<void>; ending: AbortController }>();
  let isClosed = false;

  const readDelivery = (): DeliverySwitch => {
    const off = { drop: 0, double: 0, delaySeconds: 0, reorder: false };
    const { drop, double, delaySeconds, reorder } = state.callbackDelivery.get('callback_delivery') ?? off;
    return { drop, double, delaySeconds, reorder };
  };

  /** Oldest first. */
  const inLane = ({ ids }: Lane): CallbackRecord[] => [...ids].flatMap((id) => state.callbacks.get(id) ?? []);
  const candidates = (lane: Lane): readonly NextAttempt[] =>
    nextAttempts(inLane(lane), readDelivery().reorder);
  function plan(lane: Lane): void {
    lane.dueMs = Math.min(...candidates(lane).map(({ plan }) => plan.atMs));
  }

  function assignLane(callback: CallbackRecord): void {
    const { id, planned } = callback;
    const name = laneOf(callback);
    const lane = lanes.get(name) ?? { ids: new Set(), dueMs: 0 };
    if (planned.length > 0) {
      finished.delete(id);
      lane.ids.add(id);
      lanes.set(name, lane);
    } else {
      lane.ids.delete(id);
      if (lane.ids.size === 0) lanes.delete(name);
      finished.add(id);
      const [oldest] = finished;
      if (finished.size > maxFinishedCallbacks && oldest !== undefined) {
        finished.delete(oldest);
        state.callbacks.remove(oldest);
      }
    }
    plan(lane);
  }

  function put(callback: CallbackRecord): CallbackRecord {
    state.callbacks.put(callback);
    assignLane(callback);
    return callback;
  }

  const nextIn = (name: string): NextAttempt | undefined => {
    const lane = isClosed ? undefined : lanes.get(name);
    return lane && candidates(lane).find(({ plan }) => plan.atMs <= clock.now());
  };

  async function attempt({ callback, plan }: NextAttempt, ending: AbortSignal): Promise<void> {
    // A callback must not report a change that a restart could lose.
    await journal.commit();
    const made = await sendCallback(callback, plan.reason, settings, clock, ending);
    if (made === undefined) return;
    // The stored record has later plans, such as a requested resend.
    const current = state.callbacks.get(callback.id) ?? callback;
    put(addAttempt(current, made, clock.now(), settings.dialect));
  }

  /** Sends the due callbacks of a lane one after another. */
  async function deliverLane(name: string, ending: AbortSignal): Promise<void> {
    try {
      for (let next = nextIn(name); next !== undefined; next = nextIn(name)) await attempt(next, ending);
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
    const nowMs = clock.now();
    const due = [...lanes].filter(([name, { dueMs }]) => dueMs <= nowMs && !busy.has(name));
    due.sort(([, left], [, right]) => left.dueMs - right.dueMs);
    for (const [name] of due.slice(0, maxParallelLanes - busy.size)) {
      const ending = new AbortController();
      const delivery = deliverLane(name, ending.signal);
      busy.set(name, { delivery, ending });
      // `inProgress` and every response report the failure; without a caller it would be an unhandled rejection.
      delivery.catch(() => {});
    }
  }

  function createRecord(change: RecordChange, url: string): CallbackRecord {
    const { drop, double, delaySeconds } = readDelivery();
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

  for (const callback of [...state.callbacks.list()].reverse()) assignLane(callback);

  return {
    readDelivery,
    deliverDue,
    /** Plans the callback for a change of a record with a callback URL. It is sent after this call. */
    notify(change: RecordChange): void {
      if (change.callbackUrl !== null) put(createRecord(change, change.callbackUrl));
    },
    /** Plans an additional attempt for now. */
    resend: (callback: CallbackRecord): CallbackRecord =>
      put(addPlan(callback, { atMs: clock.now(), reason: 'resend' })),
    /** Sets deliberate delivery problems. */
    setDelivery(setting: DeliverySwitch): void {
      state.callbackDelivery.put({ id: 'callback_delivery', ...setting });
      for (const lane of lanes.values()) plan(lane);
    },
    /** When the next callback is due, in milliseconds since the epoch; infinite for none. */
    nextDueMs(): number {
      let earliestMs = Number.POSITIVE_INFINITY;
      const nowMs = clock.now();
      // What is due already is in progress, or is started when another delivery ends.
      for (const { dueMs } of lanes.values()) if (dueMs > nowMs) earliestMs = Math.min(earliestMs, dueMs);
      return earliestMs;
    },
    /** Makes planned attempts earlier, so that a clock that was set back does not delay them. */
    bringForward(byMs: number): void {
      for (const callback of [...lanes.values()].flatMap(inLane)) {
        put({ ...callback, planned: callback.planned.map((plan) => ({ ...plan, atMs: plan.atMs - byMs })) });
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
