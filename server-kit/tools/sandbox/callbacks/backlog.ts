import type { Collection } from '../state/collection.ts';
import { type CallbackRecord, type NextAttempt, nextAttempts } from './callback.ts';

/** How many finished callbacks are kept. */
const maxFinishedCallbacks = 1_000;

type Lane = { ids: Set<string>; dueMs: number };

/** Creates the callbacks with planned attempts, in lanes: one for each record. */
export function createBacklog(callbacks: Collection<CallbackRecord>, isReordered: () => boolean) {
  const lanes = new Map<string, Lane>();
  const finished = new Set<string>();

  /** Oldest first. */
  const inLane = ({ ids }: Lane): CallbackRecord[] => [...ids].flatMap((id) => callbacks.get(id) ?? []);
  const candidates = (lane: Lane): readonly NextAttempt[] => nextAttempts(inLane(lane), isReordered());
  function plan(lane: Lane): void {
    lane.dueMs = Math.min(...candidates(lane).map(({ plan }) => plan.atMs));
  }

  function assignLane({ id, planned, record, recordId }: CallbackRecord): void {
    const name = `${record} ${recordId}`;
    const lane = lanes.get(name) ?? { ids: new Set(), dueMs: 0 };
    if (planned.length > 0) {
      finished.delete(id);
      lane.ids.add(id);
      lanes.set(name, lane);
    } else {
      lane.ids.delete(id);
      if (lane.ids.size === 0) lanes.delete(name);
      finished.add(id);
    }
    plan(lane);
    const [oldest] = finished;
    if (finished.size <= maxFinishedCallbacks || oldest === undefined) return;
    finished.delete(oldest);
    callbacks.remove(oldest);
  }

  for (const callback of [...callbacks.list()].reverse()) assignLane(callback);

  return {
    /** Adds or replaces the callback. Above the limit it removes the one that finished first. */
    put(callback: CallbackRecord): CallbackRecord {
      callbacks.put(callback);
      assignLane(callback);
      return callback;
    },
    planAll(): void {
      for (const lane of lanes.values()) plan(lane);
    },
    /** Returns the lanes with a due attempt, longest waiting first. */
    due: (nowMs: number): readonly string[] =>
      [...lanes]
        .filter(([, { dueMs }]) => dueMs <= nowMs)
        .sort(([, left], [, right]) => left.dueMs - right.dueMs)
        .map(([name]) => name),
    /** When the next lane will be due; infinite for none. Those that are due already do not count. */
    nextDueMs(nowMs: number): number {
      let earliestMs = Number.POSITIVE_INFINITY;
      for (const { dueMs } of lanes.values()) if (dueMs > nowMs) earliestMs = Math.min(earliestMs, dueMs);
      return earliestMs;
    },
    nextAttempt(name: string, nowMs: number): NextAttempt | undefined {
      const lane = lanes.get(name);
      return lane && candidates(lane).find(({ plan }) => plan.atMs <= nowMs);
    },
    pending: (): readonly CallbackRecord[] => [...lanes.values()].flatMap(inLane),
  };
}
