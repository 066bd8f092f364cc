import type { BudgetState } from '../../stores/store.ts';

/**
 * The arithmetic of the verification budget: pure functions of the shared state, an event and the store's clock.
 *
 * The rate starts low and doubles each second until the service refuses a request. From then on it grows by a few
 * percent a second, and by less near the rate at which the service last refused, and decreases by 15% with each refusal.
 * It grows only while the budget is used up.
 */

/** The budget never falls below this rate, so that nothing waits forever. */
const minVerificationsPerSecond = 1;

/** The slow start begins with this share of the ceiling. */
const initialShare = 0.05;

const decreaseFactor = 0.85;

/** Growth per second, as a factor. */
const slowStartFactor = 2;
const growthFactor = 1.05;
const cautiousFactor = 1.004;

/** Relative to the rate at which the service last refused: growth is cautious in between. */
const cautiousFrom = 0.9;
const cautiousTo = 1.02;
/** From here on, that rate is out of date. */
const movedFrom = 1.1;
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

/** The longest time without a draw that counts as demand, which lets the rate grow. */
const maxGrowthSeconds = 2;

/** A pause that ends later than this was started before the store's clock was set back, and is over. */
export const maxPauseMs = 60_000;

export type PermitRequest = {
  /** How many verifications could start now. */
  wanted: number;
  /** How many more would be used soon, if no other instance wants them. */
  ahead: number;
  /** How many started without a permit since the last draw, for decisions on an account; negative to return permits. */
  spent: number;
  maxPerSecond: number;
};

export type Permits = {
  /** At most as many as were wanted and welcome. */
  granted: number;
  /** When to come back for the others, in milliseconds; 0 where all were granted. */
  retryAfterMs: number;
  ratePerSecond: number;
};

/** A request that the service has refused, or not responded to. */
export type Refusal = {
  /** How long ago the request was sent. */
  sentMsAgo: number;
  /** The pause that the service asks for, in milliseconds; 0 for none. */
  pauseMs: number;
  maxPerSecond: number;
};

export type RefusalResult = { isDecreased: boolean; ratePerSecond: number };

/** Grants the wanted permits as far as available, and some ahead while no instance is short of permits. */
export function takePermits(
  stored: BudgetState | undefined,
  { wanted, ahead, spent, maxPerSecond }: PermitRequest,
  nowMs: number,
): readonly [BudgetState, Permits] {
  const state = advance(stored, maxPerSecond, nowMs);
  const { ratePerSecond } = state;
  // Decisions on an account go first, but they hold up the others for no more than a second.
  const left = Math.min(Math.max(state.permits - spent, -ratePerSecond), burstOf(state));
  const pauseLeftMs = Math.max(0, state.pausedUntilMs - nowMs);
  // Ahead only while no instance is short: it must not wait for permits that others hold.
  const welcome = wanted + (state.isShort ? 0 : ahead);
  const granted = pauseLeftMs > 0 ? 0 : Math.max(0, Math.min(welcome, Math.floor(left + 1e-9)));
  const permits = left - granted;
  const isShort = granted < wanted || (state.isShort && permits < 1);
  const untilOneMs = Math.max(minPauseMs, Math.ceil(((1 - permits) / ratePerSecond) * 1000));
  const retryAfterMs = granted < wanted ? pauseLeftMs + (pauseLeftMs > 0 ? 0 : untilOneMs) : 0;
  return [
    { ...state, permits, isShort },
    { granted, retryAfterMs, ratePerSecond },
  ];
}

/** Decreases the rate, unless the request was sent before the last decrease could have shown, and begins the pause. */
export function refusePermits(
  stored: BudgetState | undefined,
  { sentMsAgo, pauseMs, maxPerSecond }: Refusal,
  nowMs: number,
): readonly [BudgetState, RefusalResult] {
  const state = advance(stored, maxPerSecond, nowMs);
  const pausedUntilMs = Math.max(state.pausedUntilMs, nowMs + Math.min(Math.ceil(pauseMs), maxPauseMs));
  const { decreasedAtMs } = state;
  const isDecreased = decreasedAtMs === null || nowMs - sentMsAgo > decreasedAtMs + settleMs;
  if (!isDecreased)
    return [
      { ...state, pausedUntilMs },
      { isDecreased, ratePerSecond: state.ratePerSecond },
    ];
  const ratePerSecond = Math.max(minVerificationsPerSecond, state.ratePerSecond * decreaseFactor);
  const before = state.limitPerSecond ?? 0;
  const decreased = {
    ...state,
    isLimitSure: Math.abs(state.ratePerSecond - before) <= before * sameLimitShare,
    ratePerSecond,
    // One permit is left for the end of the pause, to probe the service.
    permits: Math.min(state.permits, 1),
    limitPerSecond: state.ratePerSecond,
    decreasedAtMs: nowMs,
    pausedUntilMs,
  };
  return [decreased, { isDecreased, ratePerSecond }];
}

/** Returns the state at this moment, after the time since the last event. */
function advance(stored: BudgetState | undefined, maxPerSecond: number, nowMs: number): BudgetState {
  const state = stored === undefined ? initial(maxPerSecond, nowMs) : afterClockChange(stored, nowMs);
  // Permits do not accumulate during a pause.
  const sinceMs = Math.max(state.atMs, Math.min(state.pausedUntilMs, nowMs));
  const seconds = (nowMs - sinceMs) / 1000;
  const filled = state.permits + state.ratePerSecond * seconds;
  const burst = burstOf(state);
  // More permits than this were left over: the demand had ended.
  const isUsedUp = state.isShort && filled <= burst + 1 + state.ratePerSecond * latenessSeconds;
  const grown = isUsedUp ? grow(state, Math.min(seconds, maxGrowthSeconds)) : state.ratePerSecond;
  const ratePerSecond = Math.max(minVerificationsPerSecond, Math.min(grown, maxPerSecond));
  return { ...state, ratePerSecond, permits: Math.min(filled, burst), atMs: nowMs, isShort: isUsedUp };
}

function initial(maxPerSecond: number, nowMs: number): BudgetState {
  const ratePerSecond = Math.max(minVerificationsPerSecond, maxPerSecond * initialShare);
  return {
    ratePerSecond,
    permits: Math.max(minBurst, ratePerSecond),
    atMs: nowMs,
    isShort: false,
    limitPerSecond: null,
    isLimitSure: false,
    decreasedAtMs: null,
    pausedUntilMs: 0,
  };
}

/** Moments in the future were recorded before the store's clock was set back. */
function afterClockChange(state: BudgetState, nowMs: number): BudgetState {
  const { atMs, decreasedAtMs, pausedUntilMs } = state;
  return {
    ...state,
    atMs: Math.min(atMs, nowMs),
    decreasedAtMs: decreasedAtMs !== null && decreasedAtMs > nowMs ? null : decreasedAtMs,
    pausedUntilMs: pausedUntilMs > nowMs + maxPauseMs ? 0 : pausedUntilMs,
  };
}

function grow(state: BudgetState, seconds: number): number {
  return state.ratePerSecond * growthOf(state) ** seconds;
}

function growthOf({ ratePerSecond, limitPerSecond, isLimitSure }: BudgetState): number {
  if (limitPerSecond === null) return slowStartFactor;
  const relative = ratePerSecond / limitPerSecond;
  if (relative >= movedFrom) return slowStartFactor;
  const isNear = relative >= cautiousFrom && relative < cautiousTo;
  return isLimitSure && isNear ? cautiousFactor : growthFactor;
}

/** Until its first refusal, the service may get a second's worth of requests at once. */
function burstOf({ ratePerSecond, limitPerSecond }: BudgetState): number {
  return Math.max(minBurst, limitPerSecond === null ? ratePerSecond : ratePerSecond * burstSeconds);
}
