import type { BudgetState } from '../ports/store.ts';

export type BudgetEvent = {
  /** How many verifications could start now, and how many more will soon, whose permits are taken ahead if there are enough. */
  wanted?: number;
  ahead?: number;
  /** How many started without a permit since the last event, for decisions on an account. */
  spent?: number;
  /** A request that the service has refused, or not responded to in time, and the pause that it asks for. */
  refusal?: { sentMsAgo: number; pauseMs: number };
};

export type Permits = {
  /** More than were wanted if some were taken ahead. */
  granted: number;
  /** When to come back for those that were wanted and not granted, in milliseconds; 0 for none. */
  retryAfterMs: number;
  ratePerSecond: number;
  /** Whether the refusal has decreased the rate. */
  isDecreased: boolean;
};

/** The rate never falls below this, so that nothing waits forever. The slow start begins with a share of the ceiling. */
const minPerSecond = 1;
const initialShare = 0.05;

/** Factors of the rate: at a refusal, and in a second of growth. */
const decrease = 0.85;
const growth = { slowStart: 2, normal: 1.05, cautious: 1.004 };

/** Growth is cautious near the rate at which the service last refused; far above, that rate is out of date. */
const near = { from: 0.9, to: 1.02, movedFrom: 1.1 };
/** Two refusals at rates no further apart than this have found the service's limit; one alone may be due to a burst. */
const sameLimitShare = 0.2;

/** A refusal counts only if its request was sent this long after the last decrease. */
const settleMs = 300;

/** Once the service has refused, no more than this is saved up; more than one permit, so that a late timer loses none. */
const burstSeconds = 0.05;
const minBurst = 1.25;

/** A permit that is not fetched within this time was not needed. */
const latenessSeconds = 0.25;

/** The least time between two draws, because each is a statement of the store. */
const minPauseMs = 20;

/** A pause that ends later than this was started before the store's clock was set back, and is over. */
const maxPauseMs = 60_000;

/**
 * Returns the budget after an event, and the permits that it grants. The rate starts low and doubles each second until the service
 * refuses a request. From then on it decreases by 15% with each refusal, and grows by a few percent a second, by less near the rate
 * at which the service last refused. It grows only while the budget is used up.
 */
export function nextBudget(
  stored: BudgetState | undefined,
  { wanted = 0, ahead = 0, spent = 0, refusal }: BudgetEvent,
  { maxPerSecond, nowMs }: { maxPerSecond: number; nowMs: number },
): readonly [BudgetState, Permits] {
  const advanced = advance(stored ?? initial(maxPerSecond, nowMs), maxPerSecond, nowMs);
  const state = refusal === undefined ? advanced : refuse(advanced, refusal, nowMs);
  const { ratePerSecond } = state;
  // Decisions on an account go first, but they hold up the others for no more than a second.
  const left = Math.min(Math.max(state.permits - spent, -ratePerSecond), burstOf(state));
  const pauseMs = Math.max(0, state.pausedUntilMs - nowMs);
  const available = pauseMs > 0 ? 0 : Math.max(0, Math.floor(left + 1e-9));
  const taken = Math.min(wanted, available);
  const isShort = taken < wanted || (state.isShort && left - taken < 1);
  const granted = Math.min(wanted + ahead, available);
  const permits = left - granted;
  const untilOneMs = Math.max(minPauseMs, Math.ceil(((1 - permits) / ratePerSecond) * 1000));
  const retryAfterMs = taken < wanted ? pauseMs || untilOneMs : 0;
  const isDecreased = state.decreasedAtMs !== advanced.decreasedAtMs;
  return [
    { ...state, permits, isShort },
    { granted, retryAfterMs, ratePerSecond, isDecreased },
  ];
}

function initial(maxPerSecond: number, nowMs: number): BudgetState {
  const ratePerSecond = Math.max(minPerSecond, maxPerSecond * initialShare);
  return {
    ...{ ratePerSecond, permits: Math.max(minBurst, ratePerSecond), atMs: nowMs, isShort: false },
    ...{ limitPerSecond: null, isLimitSure: false, decreasedAtMs: null, pausedUntilMs: 0 },
  };
}

/** Returns the state at this moment, after the time since the last event. Moments in the future are from before a clock change. */
function advance(state: BudgetState, maxPerSecond: number, nowMs: number): BudgetState {
  const pausedUntilMs = state.pausedUntilMs > nowMs + maxPauseMs ? 0 : state.pausedUntilMs;
  // Permits do not accumulate during a pause.
  const seconds = Math.max(0, nowMs - Math.max(state.atMs, pausedUntilMs)) / 1000;
  const filled = state.permits + state.ratePerSecond * seconds;
  const burst = burstOf(state);
  // More permits than this were left over: the demand had ended.
  const isShort = state.isShort && filled <= burst + 1 + state.ratePerSecond * latenessSeconds;
  const factor = isShort ? growthOf(state) ** seconds : 1;
  const ratePerSecond = Math.max(minPerSecond, Math.min(state.ratePerSecond * factor, maxPerSecond));
  return { ...state, ratePerSecond, permits: Math.min(filled, burst), atMs: nowMs, isShort, pausedUntilMs };
}

type Refusal = Required<BudgetEvent>['refusal'];

/** Begins the pause, and decreases the rate, unless the request was sent before the last decrease could show. */
function refuse(state: BudgetState, { sentMsAgo, pauseMs }: Refusal, nowMs: number): BudgetState {
  const { ratePerSecond, decreasedAtMs, limitPerSecond } = state;
  const pauseEndMs = nowMs + Math.min(Math.ceil(pauseMs), maxPauseMs);
  const paused = { ...state, pausedUntilMs: Math.max(state.pausedUntilMs, pauseEndMs) };
  const lastMs = decreasedAtMs ?? -Infinity;
  if (lastMs <= nowMs && nowMs - sentMsAgo <= lastMs + settleMs) return paused;
  const before = limitPerSecond ?? 0;
  return {
    ...paused,
    ratePerSecond: ratePerSecond * decrease,
    // One permit is left for the end of the pause, to probe the service.
    permits: Math.min(state.permits, 1),
    limitPerSecond: ratePerSecond,
    isLimitSure: Math.abs(ratePerSecond - before) <= before * sameLimitShare,
    decreasedAtMs: nowMs,
  };
}

function growthOf({ ratePerSecond, limitPerSecond, isLimitSure }: BudgetState): number {
  if (limitPerSecond === null || ratePerSecond >= limitPerSecond * near.movedFrom) return growth.slowStart;
  const isNear = ratePerSecond >= limitPerSecond * near.from && ratePerSecond < limitPerSecond * near.to;
  return isLimitSure && isNear ? growth.cautious : growth.normal;
}

/** Until its first refusal, the service may get a second's worth of requests at once. */
function burstOf({ ratePerSecond, limitPerSecond }: BudgetState): number {
  return Math.max(minBurst, limitPerSecond === null ? ratePerSecond : ratePerSecond * burstSeconds);
}
