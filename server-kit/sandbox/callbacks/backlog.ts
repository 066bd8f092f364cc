import type { Collection } from '../collection.ts';
import type { CallbackRecord } from './callback.ts';

/** How many callbacks with nothing more to come are remembered. */
export const maxFinishedCallbacks = 1_000;

/**
 * The callbacks with something planned, in lanes: those of one record go out one after another, those of different
 * records do not wait for each other.
 */
export type Backlog = {
  /** Adds the callback, or replaces it; forgets the one that was finished first when there are too many. */
  keep: (callback: CallbackRecord) => CallbackRecord;
  lanes: () => Iterable<string>;
  /** Oldest first. */
  inLane: (lane: string) => readonly CallbackRecord[];
  all: () => readonly CallbackRecord[];
};

const laneOf = ({ record, recordId }: CallbackRecord): string => `${record} ${recordId}`;

export function createBacklog(callbacks: Collection<CallbackRecord>): Backlog {
  const lanes = new Map<string, Set<string>>();
  const finished = new Set<string>();

  function file(callback: CallbackRecord): void {
    const { id, planned } = callback;
    const name = laneOf(callback);
    const lane = lanes.get(name) ?? new Set();
    if (planned.length > 0) {
      finished.delete(id);
      lanes.set(name, lane.add(id));
      return;
    }
    lane.delete(id);
    if (lane.size === 0) lanes.delete(name);
    finished.add(id);
    forgetOldest();
  }

  function forgetOldest(): void {
    const [oldest] = finished;
    if (finished.size <= maxFinishedCallbacks || oldest === undefined) return;
    finished.delete(oldest);
    callbacks.remove(oldest);
  }

  for (const callback of [...callbacks.list()].reverse()) file(callback);

  const inLane = (name: string): CallbackRecord[] =>
    [...(lanes.get(name) ?? [])].flatMap((id) => callbacks.get(id) ?? []);
  return {
    keep(callback) {
      callbacks.put(callback);
      file(callback);
      return callback;
    },
    lanes: () => lanes.keys(),
    inLane,
    all: () => [...lanes.keys()].flatMap(inLane),
  };
}
