import { type Backlog, createBacklog } from './backlog.ts';
import { addAttempt, addPlan, type CallbackRecord } from './callback.ts';
import { createCallbackRecord, type RecordChange } from './create-callback.ts';
import { type DeliverySwitch, readSwitch, writeSwitch } from './delivery-switch.ts';
import type { NextAttempt } from './lane.ts';
import type { CallbackParts } from './parts.ts';
import { sendCallback } from './send-callback.ts';

/** Everything about callbacks, from the change that they tell of to the last attempt. */
export type Callbacks = {
  /** Makes the callback for a change, unless nobody wants to know. It is sent soon, and never within this call. */
  notify: (change: RecordChange) => void;
  /** Plans one more attempt for now, out of turn. */
  resend: (callback: CallbackRecord) => CallbackRecord;
  /** Sets what is done to callbacks on purpose. */
  setDelivery: (setting: DeliverySwitch) => void;
  /** Starts whatever is due, as far as it may be under way at once. */
  deliverDue: () => void;
  /** The next moment at which something becomes due, in milliseconds since the epoch; infinite where nothing will. */
  nextDueMs: () => number;
  /** Brings what is planned forward, so that a clock that was set back does not put it off. */
  bringForward: (byMs: number) => void;
  /** What is being delivered. Rejects where the journal cannot keep what came of it. */
  underWay: () => readonly Promise<void>[];
  /** Starts no more, and breaks off what is under way: it stays planned. */
  close: () => void;
};

export function createCallbacks(parts: CallbackParts): Callbacks {
  const { clock, state } = parts;
  const backlog = createBacklog(state.callbacks, () => readSwitch(state.callbackDelivery).reorder);

  return {
    ...createDelivery(parts, backlog),
    notify(change) {
      const { callbackUrl } = change;
      if (callbackUrl !== null) backlog.put(createCallbackRecord({ ...change, callbackUrl }, parts));
    },
    resend: (callback) => backlog.put(addPlan(callback, { atMs: clock.now(), reason: 'resend' })),
    setDelivery(setting) {
      writeSwitch(state.callbackDelivery, setting);
      backlog.planAll();
    },
    nextDueMs: backlog.nextDueMs,
    bringForward(byMs) {
      for (const callback of backlog.all()) {
        backlog.put({
          ...callback,
          planned: callback.planned.map((plan) => ({ ...plan, atMs: plan.atMs - byMs })),
        });
      }
    },
  };
}

/** How many lanes are delivered side by side. */
const maxUnderWay = 50;

/** Delivers the lanes of the backlog side by side. */
function createDelivery(
  parts: CallbackParts,
  backlog: Backlog,
): Pick<Callbacks, 'deliverDue' | 'underWay' | 'close'> {
  const { settings, clock, state, journal } = parts;
  let isClosed = false;
  /** Each with a signal of its own, because Node warns of one that many listen to. */
  const busy = new Map<string, { delivery: Promise<void>; ending: AbortController }>();
  /** The lanes that are due and wait until fewer are under way, those that have waited longest first. */
  const ready = new Set<string>();

  const nextIn = (lane: string): NextAttempt | undefined =>
    isClosed ? undefined : backlog.nextAttempt(lane, clock.now());

  async function attempt({ callback, plan }: NextAttempt, ending: AbortSignal): Promise<void> {
    // Nobody is told of what might be gone after a restart.
    await journal.commit();
    const made = await sendCallback(callback, plan.reason, parts, ending);
    if (made === undefined) return;
    // What was asked for meanwhile, such as to send it again, is in the record that is kept.
    const current = state.callbacks.get(callback.id) ?? callback;
    backlog.put(addAttempt(current, made, clock.now(), settings.dialect));
  }

  /** One after another, until nothing of this lane is due. */
  async function deliverLane(lane: string, ending: AbortSignal): Promise<void> {
    try {
      for (let next = nextIn(lane); next !== undefined; next = nextIn(lane)) await attempt(next, ending);
    } finally {
      busy.delete(lane);
      backlog.plan(lane);
      startReady();
    }
  }

  function startReady(): void {
    for (const lane of ready) {
      if (busy.size >= maxUnderWay) return;
      ready.delete(lane);
      // The clock may have been set back since it was due.
      if (nextIn(lane) === undefined) backlog.plan(lane);
      else start(lane);
    }
  }

  function start(lane: string): void {
    const ending = new AbortController();
    const delivery = deliverLane(lane, ending.signal);
    busy.set(lane, { delivery, ending });
    // Whoever waits for it is told, and every answer tells of it; nobody may be waiting.
    delivery.catch(() => {});
  }

  return {
    deliverDue() {
      for (const lane of backlog.takeDue(clock.now())) {
        // One that is under way goes on with what is due by then.
        if (!busy.has(lane)) ready.add(lane);
      }
      startReady();
    },
    underWay: () => [...busy.values()].map(({ delivery }) => delivery),
    close() {
      isClosed = true;
      for (const { ending } of busy.values()) ending.abort();
    },
  };
}
