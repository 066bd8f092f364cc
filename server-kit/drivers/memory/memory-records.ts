import type { NewEvent } from '../../checkout/order/event.ts';
import { clockAheadMs, type DueRecord, type RecordTable, type Stored } from '../../checkout/ports/store.ts';
import { createSchedule } from './schedule.ts';

/** A record as the memory store keeps it. A changed row is a new object. */
export type RecordRow<T> = {
  record: T;
  version: number;
  dueAt: number | null;
  /** The number of wakes, and how many of them a verification has served. */
  wakes: number;
  served: number;
  changedAt: number;
  unpaidSince: number | null;
  confirmingSince: number | null;
};

export type MemoryRecordsOptions<T> = {
  rows: Map<string, RecordRow<T>>;
  now: () => number;
  /** Adds what a write adds besides the record. Returns false, and adds nothing, if a reference is taken. */
  add: (id: string, references: readonly string[], events: readonly NewEvent[]) => boolean;
};

/** Creates the records of one kind, and a function that wakes one. No method awaits anything, so each is atomic. */
export function createMemoryRecords<T>({ rows, now, add }: MemoryRecordsOptions<T>) {
  const schedule = createSchedule((id) => rows.get(id)?.dueAt);
  const woken = new Set<string>();
  let lastChangedAt = 0;

  const set = (id: string, row: RecordRow<T>): void => {
    rows.set(id, row);
    schedule.add(id, row.dueAt);
    if (isUnserved(row)) woken.add(id);
    else woken.delete(id);
    lastChangedAt = Math.max(lastChangedAt, row.changedAt);
  };
  for (const [id, row] of rows) set(id, row);

  const claim = (id: string, row: RecordRow<T>, leaseMs: number): DueRecord<T> => {
    set(id, { ...row, dueAt: now() + leaseMs, changedAt: now() });
    return { ...toStored(row, now()), claim: isUnserved(row) ? row.wakes : null };
  };
  const claimAll = (ids: readonly string[], leaseMs: number): DueRecord<T>[] =>
    ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [claim(id, row, leaseMs)];
    });
  /** A clock that was ahead has been set back: everything that it has scheduled is due. Rare, because it reads all rows. */
  const correct = (nowMs: number): void => {
    if (lastChangedAt <= nowMs + clockAheadMs) return;
    lastChangedAt = nowMs;
    for (const [id, row] of rows) {
      if (row.changedAt > nowMs + clockAheadMs)
        set(id, { ...row, dueAt: row.dueAt === null ? null : nowMs, changedAt: nowMs });
    }
  };

  const table: RecordTable<T> = {
    async read(id) {
      const row = rows.get(id);
      return row === undefined ? { record: null, version: 0, storeNow: now() } : toStored(row, now());
    },
    async write(change) {
      const { id, version, references, events } = change;
      const row = rows.get(id);
      if ((row?.version ?? 0) !== version || !add(id, references, events)) return false;
      set(id, rewritten(row, change, now()));
      return true;
    },
    async reschedule(change) {
      const row = rows.get(change.id);
      if (row !== undefined) set(change.id, rescheduled(row, change, now()));
    },
    async claimDue({ limit, leaseMs }) {
      correct(now());
      const dueAtOf = (id: string): number => rows.get(id)?.dueAt ?? Infinity;
      const first = [...woken]
        .filter((id) => dueAtOf(id) <= now())
        .sort((left, right) => dueAtOf(left) - dueAtOf(right))
        .slice(0, limit);
      const claimed = claimAll(first, leaseMs);
      return [...claimed, ...claimAll(schedule.take(now(), limit - claimed.length), leaseMs)];
    },
  };
  const wake = (id: string, leaseMs: number): DueRecord<T>[] => {
    const row = rows.get(id);
    return row === undefined ? [] : [claim(id, { ...row, wakes: row.wakes + 1 }, leaseMs)];
  };
  return { table, wake };
}

const isUnserved = ({ wakes, served }: RecordRow<unknown>): boolean => wakes > served;

/** Returns a copy of the record. */
export const toStored = <T>({ record, version }: RecordRow<T>, now: number): Stored<T> => ({
  ...{ record: structuredClone(record), version, storeNow: now },
});

const dueAfter = (ms: number | null, now: number): number | null => (ms === null ? null : now + ms);

type Change<T, Method extends 'write' | 'reschedule'> = Parameters<RecordTable<T>[Method]>[0];

/** A claim serves the wakes before it; while there is a later one, the record stays due. */
function rewritten<T>(
  row: RecordRow<T> | undefined,
  { record, version, dueAfterMs, claim, awaits }: Change<T, 'write'>,
  now: number,
): RecordRow<T> {
  const { wakes = 0, unpaidSince = null, confirmingSince = null, dueAt = null } = row ?? {};
  const served = Math.max(row?.served ?? 0, claim ?? 0);
  return {
    record: structuredClone(record),
    version: version + 1,
    dueAt: wakes > served ? dueAt : dueAfter(dueAfterMs, now),
    wakes,
    served,
    changedAt: now,
    unpaidSince: awaits === 'money' ? (unpaidSince ?? now) : null,
    confirmingSince: awaits === 'confirmation' ? (confirmingSince ?? now) : null,
  };
}

/** A claim that is served already schedules nothing: the verification that served it knew more. Nor does one of another version. */
function rescheduled<T>(
  row: RecordRow<T>,
  { version, dueAfterMs, claim, isServed }: Change<T, 'reschedule'>,
  now: number,
): RecordRow<T> {
  const next = dueAfter(dueAfterMs, now);
  if (claim === null) {
    return row.version === version && !isUnserved(row) ? { ...row, dueAt: next, changedAt: now } : row;
  }
  if (row.served >= claim) return row;
  const isNewer = row.wakes > claim || row.version !== version;
  const dueAt = isNewer || (next === null && !isServed) ? row.dueAt : next;
  return { ...row, dueAt, served: isServed ? claim : row.served, changedAt: now };
}
