import type { Collection } from '../storage/collection.ts';
import type { CallbackRecord } from './callback.ts';
import { type NextAttempt, nextAttempt, nextDueMs } from './lane.ts';
import { createSchedule } from './schedule.ts';

/** How many callbacks with nothing more to come are remembered. */
export const maxFinishedCallbacks = 1_000;

/**
 * The callbacks with something planned, in lanes: those of one record go out one after another, those of different
 * records do not wait for each other.
 */
export type Backlog = {
  /** Adds the callback, or replaces it; forgets the one that was finished first when there are too many. */
  put: (callback: CallbackRecord) => CallbackRecord;
  /** Takes out the lanes in which something is due; each has to be given back with `plan`. */
  takeDue: (nowMs: number) => readonly string[];
  /** Plans a lane by what is in it now. */
  plan: (lane: string) => void;
  /** The same for all lanes. */
  planAll: () => void;
  /** When something in a lane becomes due that is not taken out; infinite where nothing will. */
  nextDueMs: () => number;
  /** What is to be sent now in this lane. */
  nextAttempt: (lane: string, nowMs: number) => NextAttempt | undefined;
  all: () => readonly CallbackRecord[];
};

const laneOf = ({ record, recordId }: CallbackRecord): string => `${record} ${recordId}`;

/** @param isReordered whether the newest of a lane goes first; `planAll` has to follow when that changes */
export function createBacklog(callbacks: Collection<CallbackRecord>, isReordered: () => boolean): Backlog {
  const lanes = new Map<string, Set<string>>();
  const finished = new Set<string>();
  const schedule = createSchedule();

  /** Oldest first. */
  const inLane = (name: string): CallbackRecord[] =>
    [...(lanes.get(name) ?? [])].flatMap((id) => callbacks.get(id) ?? []);
  const plan = (name: string): void => schedule.set(name, nextDueMs(inLane(name), isReordered()));

  function file(callback: CallbackRecord): void {
    const { id, planned } = callback;
    const name = laneOf(callback);
    const lane = lanes.get(name) ?? new Set();
    if (planned.length > 0) {
      finished.delete(id);
      lanes.set(name, lane.add(id));
    } else {
      lane.delete(id);
      if (lane.size === 0) lanes.delete(name);
      finished.add(id);
      forgetOldest();
    }
    plan(name);
  }

  function forgetOldest(): void {
    const [oldest] = finished;
    if (finished.size <= maxFinishedCallbacks || oldest === undefined) return;
    finished.delete(oldest);
    callbacks.remove(oldest);
  }

  for (const callback of [...callbacks.list()].reverse()) file(callback);

  return {
    put(callback) {
      callbacks.put(callback);
      file(callback);
      return callback;
    },
    takeDue: schedule.takeDue,
    plan,
    planAll() {
      for (const name of lanes.keys()) plan(name);
    },
    nextDueMs: schedule.nextMs,
    nextAttempt: (name, nowMs) => nextAttempt(inLane(name), isReordered(), nowMs),
    all: () => [...lanes.keys()].flatMap(inLane),
  };
}
