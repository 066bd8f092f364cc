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

  const claimOne = (id: string, nowMs: number, leaseMs: number): DueRecord<T>[] => {
    const row = rows.get(id);
    const stored = toStored(row, nowMs);
    if (row === undefined || stored === undefined) return [];
    set(id, { ...row, dueAt: nowMs + leaseMs, changedAt: nowMs });
    return [{ ...stored, claim: isUnserved(row) ? row.wakes : null }];
  };
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
    read: async (id) => toStored(rows.get(id), now()) ?? { record: null, version: 0, storeNow: now() },
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
    async claimDue({ limit, leaseMs, isWoken }) {
      const nowMs = now();
      correct(nowMs);
      const dueAtOf = (id: string): number => rows.get(id)?.dueAt ?? Infinity;
      const ids = isWoken
        ? [...woken]
            .filter((id) => dueAtOf(id) <= nowMs)
            .sort((left, right) => dueAtOf(left) - dueAtOf(right))
        : schedule.take(nowMs, limit);
      return ids.slice(0, limit).flatMap((id) => claimOne(id, nowMs, leaseMs));
    },
  };
  const wake = (id: string): void => {
    const row = rows.get(id);
    if (row !== undefined) set(id, { ...row, wakes: row.wakes + 1, dueAt: now(), changedAt: now() });
  };
  return { table, wake };
}

const isUnserved = ({ wakes, served }: RecordRow<unknown>): boolean => wakes > served;

/** Returns a copy of the record. */
export const toStored = <T>(row: RecordRow<T> | undefined, now: number): Stored<T> | undefined =>
  row && { record: structuredClone(row.record), version: row.version, storeNow: now };

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

/** A claim that is served already schedules nothing: the verification that served it knew more. */
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
  const dueAt = row.wakes > claim ? row.dueAt : isServed ? next : (next ?? row.dueAt);
  return { ...row, dueAt, served: isServed ? claim : row.served, changedAt: now };
}
