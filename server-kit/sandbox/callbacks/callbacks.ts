import type { SandboxWorld } from '../world.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { addAttempt, addPlan, type CallbackRecord, isInTurn, type PlannedAttempt } from './callback.ts';
import { readSwitch } from './delivery-switch.ts';
import { type Notice, newCallback } from './new-callback.ts';
import { sendCallback } from './send-callback.ts';

/** Everything about callbacks, from the change that they tell of to the last attempt. */
export type Callbacks = {
  /** Makes the callback for a change, unless nobody wants to know. It is sent soon, and never within this call. */
  notify: (notice: Notice) => void;
  /** Plans one more attempt for now, out of turn. */
  resend: (callback: CallbackRecord) => CallbackRecord;
  /** Starts whatever is due. */
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

type Parts = Pick<SandboxWorld, 'settings' | 'clock' | 'state' | 'mint' | 'journal'>;

export function createCallbacks(parts: Parts): Callbacks {
  const { clock, state } = parts;
  const backlog = createBacklog(state.callbacks);
  const closing = new AbortController();
  const { deliverDue, underWay } = createDelivery(parts, backlog, closing.signal);

  return {
    notify(notice) {
      const { callbackUrl } = notice;
      if (callbackUrl !== null) backlog.keep(newCallback({ ...notice, callbackUrl }, parts));
    },
    resend: (callback) => backlog.keep(addPlan(callback, { atMs: clock.now(), reason: 'resend' })),
    deliverDue,
    underWay,
    nextDueMs() {
      const nowMs = clock.now();
      let earliestMs = Number.POSITIVE_INFINITY;
      for (const { planned } of backlog.all()) {
        for (const { atMs } of planned) if (atMs > nowMs) earliestMs = Math.min(earliestMs, atMs);
      }
      return earliestMs;
    },
    bringForward(byMs) {
      for (const callback of backlog.all()) {
        backlog.keep({
          ...callback,
          planned: callback.planned.map((plan) => ({ ...plan, atMs: plan.atMs - byMs })),
        });
      }
    },
    close: () => closing.abort(),
  };
}

/** Delivers the lanes of the backlog side by side, and nothing more once `closing` has aborted. */
function createDelivery(
  parts: Parts,
  backlog: Backlog,
  closing: AbortSignal,
): Pick<Callbacks, 'deliverDue' | 'underWay'> {
  const { settings, clock, state, journal } = parts;
  const busy = new Map<string, Promise<void>>();

  function nextIn(lane: string): Next | undefined {
    if (closing.aborted) return undefined;
    return nextOf(backlog.inLane(lane), clock.now(), readSwitch(state.callbackDelivery).reorder);
  }

  async function attempt({ callback, plan }: Next): Promise<void> {
    // Nobody is told of what might be gone after a restart.
    await journal.commit();
    const made = await sendCallback(callback, plan.reason, parts, closing);
    if (made === undefined) return;
    // What was asked for meanwhile, such as to send it again, is in the record that is kept.
    const current = state.callbacks.get(callback.id) ?? callback;
    backlog.keep(addAttempt(current, made, clock.now(), settings.dialect));
  }

  /** One after another, until nothing of this lane is due. */
  async function deliverLane(lane: string): Promise<void> {
    try {
      for (let next = nextIn(lane); next !== undefined; next = nextIn(lane)) await attempt(next);
    } finally {
      busy.delete(lane);
    }
  }

  return {
    deliverDue() {
      for (const lane of backlog.lanes()) {
        if (busy.has(lane) || nextIn(lane) === undefined) continue;
        const delivery = deliverLane(lane);
        busy.set(lane, delivery);
        // Whoever waits for it is told, and every answer tells of it; nobody may be waiting.
        delivery.catch(() => {});
      }
    },
    underWay: () => [...busy.values()],
  };
}

type Next = { callback: CallbackRecord; plan: PlannedAttempt };

/** What is to be sent now of one record's callbacks, oldest first: by hand and copies before what is in turn. */
function nextOf(lane: readonly CallbackRecord[], nowMs: number, isReordered: boolean): Next | undefined {
  const all = lane.flatMap((callback) => callback.planned.map((plan) => ({ callback, plan })));
  const isDue = ({ plan }: Next): boolean => plan.atMs <= nowMs;
  const outOfTurn = all.find((next) => isDue(next) && !isInTurn(next.plan));
  if (outOfTurn !== undefined) return outOfTurn;
  const inTurn = all.filter(({ plan }) => isInTurn(plan));
  return isReordered ? inTurn.findLast(isDue) : inTurn.slice(0, 1).find(isDue);
}
