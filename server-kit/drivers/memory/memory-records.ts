import type { NewEvent } from '../../checkout/order/event.ts';
import type { Order } from '../../checkout/order/record.ts';
import type { DueRecord, RecordWrite, Reschedule, Store, Stored } from '../../checkout/ports/store.ts';

/** A record as the memory store keeps it. A changed row is a new object. */
export type RecordRow = {
  record: Order;
  version: number;
  dueAt: number | null;
  /** The number of the last claim. */
  claims: number;
  /** Whether a verification was requested that no claim has made yet. */
  isWoken: boolean;
  unpaidSince: number | null;
  confirmingSince: number | null;
};

export type MemoryRecordsOptions = {
  rows: Map<string, RecordRow>;
  now: () => number;
  /** Adds what a write adds besides the record. Returns false, and adds nothing, if a reference is taken. */
  add: (id: string, references: readonly string[], events: readonly NewEvent[]) => boolean;
};

/** Creates the records, and a function that wakes one. No method awaits anything, so each is atomic. */
export function createMemoryRecords({ rows, now, add }: MemoryRecordsOptions) {
  const claim = (id: string, row: RecordRow, leaseMs: number): DueRecord => {
    const claims = row.claims + 1;
    rows.set(id, { ...row, claims, dueAt: now() + leaseMs });
    return { ...toStored(row, now()), claim: claims, isWoken: row.isWoken };
  };
  const records: Pick<Store, 'read' | 'write' | 'reschedule' | 'claimDue'> = {
    async read(id) {
      const row = rows.get(id);
      return row === undefined ? { record: null, version: 0, storeNow: now() } : toStored(row, now());
    },
    async write(change) {
      const { id, version, references, events } = change;
      const row = rows.get(id);
      if ((row?.version ?? 0) !== version || !add(id, references, events)) return false;
      rows.set(id, rewritten(row, change, now()));
      return true;
    },
    async reschedule(change) {
      const row = rows.get(change.id);
      if (row !== undefined) rows.set(change.id, rescheduled(row, change, now()));
    },
    async claimDue({ limit, leaseMs }) {
      const nowMs = now();
      const due = [...rows].filter(([, row]) => isDue(row, nowMs));
      const claimed = due.sort(([, left], [, right]) => compareDue(left, right)).slice(0, limit);
      return claimed.map(([id, row]) => claim(id, row, leaseMs));
    },
  };
  const wake = (id: string, leaseMs: number): DueRecord | undefined => {
    const row = rows.get(id);
    return row && claim(id, { ...row, isWoken: true }, leaseMs);
  };
  return { records, wake };
}

const isDue = ({ dueAt }: RecordRow, now: number): boolean => dueAt !== null && dueAt <= now;

const compareDue = (left: RecordRow, right: RecordRow): number =>
  Number(right.isWoken) - Number(left.isWoken) || Number(left.dueAt) - Number(right.dueAt);

/** Returns a copy of the record. */
export const toStored = ({ record, version }: RecordRow, now: number): Stored<Order> => ({
  record: structuredClone(record),
  version,
  storeNow: now,
});

const dueAfter = (ms: number | null, now: number): number | null => (ms === null ? null : now + ms);

/** The last claim serves the wakes before it. While one is not served, the record stays due. */
function rewritten(
  row: RecordRow | undefined,
  { record, version, dueAfterMs, claim, awaits }: RecordWrite,
  now: number,
): RecordRow {
  const { claims = 0, unpaidSince = null, confirmingSince = null, dueAt = null } = row ?? {};
  const isWoken = row?.isWoken === true && claim !== claims;
  return {
    record: structuredClone(record),
    version: version + 1,
    dueAt: isWoken ? dueAt : dueAfter(dueAfterMs, now),
    claims,
    isWoken,
    unpaidSince: awaits === 'money' ? (unpaidSince ?? now) : null,
    confirmingSince: awaits === 'confirmation' ? (confirmingSince ?? now) : null,
  };
}

function rescheduled(
  row: RecordRow,
  { version, dueAfterMs, claim, isServed }: Reschedule,
  now: number,
): RecordRow {
  if (claim !== row.claims) return row;
  const next = dueAfter(dueAfterMs, now) ?? (isServed ? null : row.dueAt);
  const dueAt = version === row.version ? next : row.dueAt;
  return { ...row, dueAt, isWoken: row.isWoken && !isServed };
}
