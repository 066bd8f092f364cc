import type { Backlog } from './backlog.ts';
import { addAttempt } from './callback.ts';
import type { NextAttempt } from './lane.ts';
import type { CallbackParts } from './parts.ts';
import { sendCallback } from './send-callback.ts';

/** Delivers the lanes of a backlog in parallel. */
export type Delivery = {
  /** Starts due deliveries, up to the limit of parallel ones. */
  deliverDue: () => void;
  /** The deliveries in progress. They reject when the journal fails. */
  inProgress: () => readonly Promise<void>[];
  /** Starts no more deliveries and aborts those in progress, which stay planned. */
  close: () => void;
};

/** How many lanes are delivered in parallel. */
const maxParallelLanes = 50;

export function createDelivery(parts: CallbackParts, backlog: Backlog): Delivery {
  const { settings, clock, state, journal } = parts;
  let isClosed = false;
  /** Each has its own signal, because Node warns about many listeners on one. */
  const busy = new Map<string, { delivery: Promise<void>; ending: AbortController }>();
  /** Due lanes that wait for a free slot, longest waiting first. */
  const ready = new Set<string>();

  const nextIn = (lane: string): NextAttempt | undefined =>
    isClosed ? undefined : backlog.nextAttempt(lane, clock.now());

  async function attempt({ callback, plan }: NextAttempt, ending: AbortSignal): Promise<void> {
    // A callback must not report a change that a restart could lose.
    await journal.commit();
    const made = await sendCallback(callback, plan.reason, parts, ending);
    if (made === undefined) return;
    // The stored record has later plans, such as a requested resend.
    const current = state.callbacks.get(callback.id) ?? callback;
    backlog.put(addAttempt(current, made, clock.now(), settings.dialect));
  }

  /** Sends the due callbacks of a lane one after another. */
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
      if (busy.size >= maxParallelLanes) return;
      ready.delete(lane);
      // The clock may have been set back in the meantime.
      if (nextIn(lane) === undefined) backlog.plan(lane);
      else start(lane);
    }
  }

  function start(lane: string): void {
    const ending = new AbortController();
    const delivery = deliverLane(lane, ending.signal);
    busy.set(lane, { delivery, ending });
    // `inProgress` and every response report the failure; without a caller it would be an unhandled rejection.
    delivery.catch(() => {});
  }

  return {
    deliverDue() {
      for (const lane of backlog.takeDue(clock.now())) {
        // A lane in progress continues with its due callbacks.
        if (!busy.has(lane)) ready.add(lane);
      }
      startReady();
    },
    inProgress: () => [...busy.values()].map(({ delivery }) => delivery),
    close() {
      isClosed = true;
      for (const { ending } of busy.values()) ending.abort();
    },
  };
}
