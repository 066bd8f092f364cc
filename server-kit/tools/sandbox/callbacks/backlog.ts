import type { Collection } from '../storage/collection.ts';
import type { CallbackRecord } from './callback.ts';
import { type NextAttempt, nextAttempt, nextDueMs } from './lane.ts';
import { createSchedule } from './schedule.ts';

/** How many finished callbacks are kept. */
export const maxFinishedCallbacks = 1_000;

/**
 * Callbacks with planned attempts, in lanes. Callbacks of one record are sent one after another; those of different records
 * do not wait for each other.
 */
export type Backlog = {
  /** Adds or replaces the callback. Above the limit it removes the one that finished first. */
  put: (callback: CallbackRecord) => CallbackRecord;
  /** Removes the lanes with a due attempt from the schedule; `plan` puts a lane back. */
  takeDue: (nowMs: number) => readonly string[];
  /** Schedules a lane by its planned attempts. */
  plan: (lane: string) => void;
  /** Schedules all lanes. */
  planAll: () => void;
  /** When the next scheduled lane is due; infinite for none. */
  nextDueMs: () => number;
  /** Returns the attempt to make now in this lane. */
  nextAttempt: (lane: string, nowMs: number) => NextAttempt | undefined;
  all: () => readonly CallbackRecord[];
};

const laneOf = ({ record, recordId }: CallbackRecord): string => `${record} ${recordId}`;

/** @param isReordered whether the newest callback of a lane goes first; call `planAll` after a change */
export function createBacklog(callbacks: Collection<CallbackRecord>, isReordered: () => boolean): Backlog {
  const lanes = new Map<string, Set<string>>();
  const finished = new Set<string>();
  const schedule = createSchedule();

  /** Oldest first. */
  const inLane = (name: string): CallbackRecord[] =>
    [...(lanes.get(name) ?? [])].flatMap((id) => callbacks.get(id) ?? []);
  const plan = (name: string): void => schedule.set(name, nextDueMs(inLane(name), isReordered()));

  function assignLane(callback: CallbackRecord): void {
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
      removeOldest();
    }
    plan(name);
  }

  function removeOldest(): void {
    const [oldest] = finished;
    if (finished.size <= maxFinishedCallbacks || oldest === undefined) return;
    finished.delete(oldest);
    callbacks.remove(oldest);
  }

  for (const callback of [...callbacks.list()].reverse()) assignLane(callback);

  return {
    put(callback) {
      callbacks.put(callback);
      assignLane(callback);
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
