import {
  type Effect,
  type EffectOutcome,
  type EffectRun,
  findNews,
  overtakenByPaid,
} from './outbox-event.ts';
import type { EffectStore, PaymentRecord } from './store.ts';

/** `dueAt` is the end of the lease while the effect runs. */
type Row = { effect: Effect; dueAt: number };

export type MemoryEffects = {
  store: EffectStore;
  add: (record: PaymentRecord, outcomes: readonly EffectOutcome[]) => void;
  /** Whether nothing of the order is left to be told. */
  isFinished: (orderId: string) => boolean;
  forget: (orderId: string) => void;
  measure: () => { waitingEffects: number; setAsideEffects: number };
};

type Index = {
  byOrder: Map<string, Row[]>;
  byKey: Map<string, Row>;
  /** The orders that have something to be told: few, however many there were. */
  openOrders: Set<Row[]>;
  /** Call it after each change of an order's effects. */
  settle: (order: Row[]) => void;
};

/** The effects of the memory store: each order's in the order in which they came about. */
export function createMemoryEffects(now: () => number): MemoryEffects {
  const openOrders = new Set<Row[]>();
  const settle = (order: Row[]): void => {
    withdrawOvertaken(order, now());
    if (order.some(isOpen)) openOrders.add(order);
    else openOrders.delete(order);
  };
  const index: Index = { byOrder: new Map(), byKey: new Map(), openOrders, settle };
  const { byOrder, byKey } = index;
  const count = (...states: Effect['state'][]): number =>
    [...byKey.values()].filter(({ effect }) => states.includes(effect.state)).length;

  return {
    store: createEffectStore(index, now),
    add(record, outcomes) {
      const order = byOrder.get(record.orderId) ?? [];
      const known = order.map(({ effect }) => effect);
      for (const effect of findNews(record, outcomes, known)) {
        const row = { effect, dueAt: now() };
        order.push(row);
        byKey.set(effect.key, row);
      }
      byOrder.set(record.orderId, order);
      settle(order);
    },
    isFinished: (orderId) =>
      (byOrder.get(orderId) ?? []).every(({ effect }) => ['done', 'withdrawn'].includes(effect.state)),
    forget(orderId) {
      const order = byOrder.get(orderId) ?? [];
      for (const { effect } of order) byKey.delete(effect.key);
      openOrders.delete(order);
      byOrder.delete(orderId);
    },
    measure: () => ({ waitingEffects: count('waiting', 'running'), setAsideEffects: count('setAside') }),
  };
}

function createEffectStore({ byOrder, byKey, openOrders, settle }: Index, now: () => number): EffectStore {
  const settleOrderOf = ({ effect }: Row): void => settle(byOrder.get(effect.orderId) ?? []);
  const findRun = ({ key, token }: EffectRun): Row | undefined => {
    const row = byKey.get(key);
    return row?.effect.state === 'running' && row.effect.token === token ? row : undefined;
  };

  return {
    async claimEffect({ leaseMs }) {
      let row: Row | undefined;
      for (const order of openOrders) {
        settle(order);
        const next = order.find((one) => isRunnable(one, order, now()));
        if (next !== undefined && next.dueAt < (row?.dueAt ?? Infinity)) row = next;
      }
      if (row === undefined) return undefined;
      const wasLost = row.effect.state === 'running';
      row.effect.state = 'running';
      row.effect.token++;
      row.dueAt = now() + leaseMs;
      return { ...row.effect, wasLost };
    },
    async renewEffect(run, { leaseMs }) {
      const row = findRun(run);
      if (row !== undefined) row.dueAt = now() + leaseMs;
      return row !== undefined;
    },
    async finishEffect(run) {
      const row = findRun(run);
      if (row === undefined) return false;
      Object.assign(row.effect, { state: 'done', failure: null });
      settleOrderOf(row);
      return true;
    },
    async failEffect(run, { retryAfterMs, failure }) {
      const row = findRun(run);
      if (row === undefined) return false;
      Object.assign(row.effect, { state: retryAfterMs === null ? 'setAside' : 'waiting', failure });
      row.dueAt = now() + (retryAfterMs ?? 0);
      settleOrderOf(row);
      return true;
    },
    listSetAside: async () =>
      [...byOrder.values()].flatMap((order) =>
        order.flatMap(({ effect }) => (effect.state === 'setAside' ? { ...effect } : [])),
      ),
    async retryEffect(key) {
      const row = byKey.get(key);
      if (row?.effect.state !== 'setAside') return false;
      row.effect.state = 'waiting';
      row.dueAt = now();
      settleOrderOf(row);
      return true;
    },
  };
}

const isOpen = ({ effect }: Row): boolean => effect.state === 'waiting' || effect.state === 'running';

/** Whether it is its turn: it is due, none before it in its order has yet to end, and no other one runs. */
function isRunnable(row: Row, order: readonly Row[], now: number): boolean {
  if (!isOpen(row) || row.dueAt > now) return false;
  const position = order.indexOf(row);
  const isBlockedBy = (other: Row, index: number): boolean => {
    const { state, outcome } = other.effect;
    if (index < position) return isOpen(other) || (state === 'setAside' && outcome === 'paid');
    return index > position && state === 'running' && other.dueAt > now;
  };
  return !order.some(isBlockedBy);
}

function withdrawOvertaken(order: readonly Row[], now: number): void {
  if (!order.some(({ effect }) => effect.outcome === 'paid')) return;
  for (const { effect, dueAt } of order) {
    const isIdle = effect.state === 'waiting' || effect.state === 'setAside';
    const isLapsed = effect.state === 'running' && dueAt <= now;
    if (overtakenByPaid.includes(effect.outcome) && (isIdle || isLapsed)) effect.state = 'withdrawn';
  }
}
