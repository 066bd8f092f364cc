import { type Effect, type EffectOutcome, type EffectRun, findNews, overtakenByPaid } from './effect.ts';
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

/** The effects of the memory store: each order's in the order in which they came about. */
export function createMemoryEffects(now: () => number): MemoryEffects {
  const byOrder = new Map<string, Row[]>();

  const all = (): Row[] => [...byOrder.values()].flat();
  const find = (key: string): Row | undefined => all().find(({ effect }) => effect.key === key);
  const findRun = ({ key, token }: EffectRun): Row | undefined => {
    const row = find(key);
    return row?.effect.state === 'running' && row.effect.token === token ? row : undefined;
  };
  const count = (...states: Effect['state'][]): number =>
    all().filter(({ effect }) => states.includes(effect.state)).length;

  const store: EffectStore = {
    async claimEffect({ leaseMs }) {
      for (const order of byOrder.values()) withdrawOvertaken(order, now());
      const [row] = [...byOrder.values()]
        .flatMap((order) => order.filter((row) => isRunnable(row, order, now())))
        .sort((left, right) => left.dueAt - right.dueAt);
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
      if (row !== undefined) Object.assign(row.effect, { state: 'done', failure: null });
      return row !== undefined;
    },
    async failEffect(run, { retryAfterMs, failure }) {
      const row = findRun(run);
      if (row === undefined) return false;
      Object.assign(row.effect, { state: retryAfterMs === null ? 'setAside' : 'waiting', failure });
      row.dueAt = now() + (retryAfterMs ?? 0);
      withdrawOvertaken(byOrder.get(row.effect.orderId) ?? [], now());
      return true;
    },
    listSetAside: async () =>
      all().flatMap(({ effect }) => (effect.state === 'setAside' ? { ...effect } : [])),
    async retryEffect(key) {
      const row = find(key);
      if (row?.effect.state !== 'setAside') return false;
      row.effect.state = 'waiting';
      row.dueAt = now();
      return true;
    },
  };

  return {
    store,
    add(record, outcomes) {
      const order = byOrder.get(record.orderId) ?? [];
      const known = order.map(({ effect }) => effect);
      order.push(...findNews(record, outcomes, known).map((effect) => ({ effect, dueAt: now() })));
      byOrder.set(record.orderId, order);
      withdrawOvertaken(order, now());
    },
    isFinished: (orderId) =>
      (byOrder.get(orderId) ?? []).every(({ effect }) => ['done', 'withdrawn'].includes(effect.state)),
    forget: (orderId) => void byOrder.delete(orderId),
    measure: () => ({ waitingEffects: count('waiting', 'running'), setAsideEffects: count('setAside') }),
  };
}

/** Whether it is its turn: it is due, none before it in its order has yet to end, and no other one runs. */
function isRunnable(row: Row, order: readonly Row[], now: number): boolean {
  const isOpen = ({ effect }: Row) => effect.state === 'waiting' || effect.state === 'running';
  const position = order.indexOf(row);
  const isBlockedBy = (other: Row, index: number): boolean => {
    const { state, outcome } = other.effect;
    if (index < position) return isOpen(other) || (state === 'setAside' && outcome === 'paid');
    return index > position && state === 'running' && other.dueAt > now;
  };
  return isOpen(row) && row.dueAt <= now && !order.some(isBlockedBy);
}

function withdrawOvertaken(order: readonly Row[], now: number): void {
  if (!order.some(({ effect }) => effect.outcome === 'paid')) return;
  for (const { effect, dueAt } of order) {
    const isIdle = effect.state === 'waiting' || effect.state === 'setAside';
    const isLapsed = effect.state === 'running' && dueAt <= now;
    if (overtakenByPaid.includes(effect.outcome) && (isIdle || isLapsed)) effect.state = 'withdrawn';
  }
}
