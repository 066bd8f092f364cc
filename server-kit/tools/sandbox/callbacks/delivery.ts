import type { SandboxSettings } from '../settings/options.ts';
import type { SandboxClock } from '../state/clock.ts';
import type { Collection } from '../state/collection.ts';
import type { Mint } from '../state/mint.ts';
import type { Writer } from '../state/storage.ts';
import {
  addAttempt,
  addPlan,
  type CallbackRecord,
  type DeliverySwitch,
  type DeliverySwitchRecord,
  type NextAttempt,
  nextAttempts,
} from './attempts.ts';
import { createCallbackRecord, type RecordChange } from './record-change.ts';
import { sendCallback } from './send.ts';

/** How many lanes are delivered in parallel. */
const maxParallelLanes = 50;

/** How many finished callbacks are kept. */
const maxFinishedCallbacks = 1_000;

type Parts = {
  settings: SandboxSettings;
  clock: SandboxClock;
  mint: Mint;
  writer: Writer;
  state: { callbacks: Collection<CallbackRecord>; callbackDelivery: Collection<DeliverySwitchRecord> };
};

export type Callbacks = ReturnType<typeof createCallbacks>;

/** Creates callbacks, and delivers them in lanes; see `createDelivery`. */
export function createCallbacks(parts: Parts) {
  const { clock, state } = parts;
  const readSwitch = (): DeliverySwitch => {
    const off = { drop: 0, double: 0, delaySeconds: 0, reorder: false };
    const { drop, double, delaySeconds, reorder } = state.callbackDelivery.get('callback_delivery') ?? off;
    return { drop, double, delaySeconds, reorder };
  };
  const backlog = createBacklog(state.callbacks);
  return {
    ...createDelivery(parts, backlog, () => readSwitch().reorder),
    readDelivery: readSwitch,
    setDelivery: (setting: DeliverySwitch): void =>
      void state.callbackDelivery.put({ id: 'callback_delivery', ...setting }),
    /** Plans the callback for a change of a record with a callback URL. It is sent after this call. */
    notify(change: RecordChange): void {
      const { callbackUrl: url } = change;
      if (url !== null) backlog.put(createCallbackRecord({ ...change, url }, readSwitch(), parts));
    },
    /** Plans an additional attempt for now. */
    resend: (callback: CallbackRecord): CallbackRecord =>
      backlog.put(addPlan(callback, { atMs: clock.now(), reason: 'resend' })),
    /** Makes planned attempts earlier, so that a clock that was set back does not delay them. */
    bringForward(byMs: number): void {
      for (const callback of [...backlog.lanes().values()].flat()) {
        const planned = callback.planned.map((plan) => ({ ...plan, atMs: plan.atMs - byMs }));
        backlog.put({ ...callback, planned });
      }
    },
  };
}

/** Sends the callbacks of one record one after another; those of different records do not wait for each other. */
function createDelivery(parts: Parts, backlog: Backlog, isReordered: () => boolean) {
  const { clock } = parts;
  /** Each has its own signal, because Node warns about many listeners on one. */
  const busy = new Map<string, { delivery: Promise<void>; ending: AbortController }>();
  let isClosed = false;

  /** Returns when each lane makes its next attempt, longest waiting first. */
  function dueTimes() {
    const lanes = [...backlog.lanes()].map(([name, callbacks]) => {
      const times = nextAttempts(callbacks, isReordered()).map(({ plan }) => plan.atMs);
      return { name, dueMs: Math.min(...times) };
    });
    return lanes.sort((left, right) => left.dueMs - right.dueMs);
  }

  function nextIn(lane: string): NextAttempt | undefined {
    if (isClosed) return undefined;
    const candidates = nextAttempts(backlog.lanes().get(lane) ?? [], isReordered());
    return candidates.find(({ plan }) => plan.atMs <= clock.now());
  }

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

  /** Starts due deliveries, up to the limit of parallel ones. */
  function deliverDue(): void {
    if (isClosed || busy.size >= maxParallelLanes) return;
    const due = dueTimes().filter(({ name, dueMs }) => dueMs <= clock.now() && !busy.has(name));
    for (const { name } of due.slice(0, maxParallelLanes - busy.size)) {
      const ending = new AbortController();
      const delivery = deliverLane(name, ending.signal);
      busy.set(name, { delivery, ending });
      // `inProgress` and every response report the failure; without a caller it would be an unhandled rejection.
      delivery.catch(() => {});
    }
  }

  return {
    deliverDue,
    /** When the next callback will be due, in milliseconds since the epoch; infinite for none. */
    nextDueMs: (): number =>
      dueTimes().find(({ dueMs }) => dueMs > clock.now())?.dueMs ?? Number.POSITIVE_INFINITY,
    /** The deliveries in progress. They reject when the storage fails. */
    inProgress: (): readonly Promise<void>[] => [...busy.values()].map(({ delivery }) => delivery),
    /** Starts no more deliveries and aborts those in progress, which stay planned. */
    close(): void {
      isClosed = true;
      for (const { ending } of busy.values()) ending.abort();
    },
  };
}

async function sendPlanned(
  { settings, clock, writer, state }: Parts,
  backlog: Backlog,
  { callback, plan }: NextAttempt,
  ending: AbortSignal,
): Promise<void> {
  // A callback must not report a change that a restart could lose.
  await writer.commit();
  const made = await sendCallback(callback, plan.reason, settings, clock, ending);
  if (made === undefined) return;
  // The stored record has later plans, such as a requested resend.
  const current = state.callbacks.get(callback.id) ?? callback;
  backlog.put(addAttempt(current, made, clock.now(), settings.dialect));
}

type Backlog = ReturnType<typeof createBacklog>;

/** Tells the callbacks with planned attempts from the finished ones, of which it keeps the latest. */
function createBacklog(callbacks: Collection<CallbackRecord>) {
  const pending = new Map<string, CallbackRecord>();
  const finished = new Set<string>();

  function sort(callback: CallbackRecord): void {
    const { id, planned } = callback;
    if (planned.length > 0) {
      finished.delete(id);
      pending.set(id, callback);
      return;
    }
    pending.delete(id);
    finished.add(id);
    const [oldest = id] = finished;
    if (finished.size > maxFinishedCallbacks && finished.delete(oldest)) callbacks.remove(oldest);
  }

  for (const callback of callbacks.list().toReversed()) sort(callback);

  return {
    put(callback: CallbackRecord): CallbackRecord {
      callbacks.put(callback);
      sort(callback);
      return callback;
    },
    /** Groups the pending callbacks by record, each oldest first. */
    lanes(): ReadonlyMap<string, readonly CallbackRecord[]> {
      const lanes = new Map<string, CallbackRecord[]>();
      for (const callback of pending.values()) {
        const name = `${callback.record} ${callback.recordId}`;
        const lane = lanes.get(name);
        if (lane === undefined) lanes.set(name, [callback]);
        else lane.push(callback);
      }
      return lanes;
    },
  };
}
