import type { BudgetState } from '../../stores/store.ts';

/**
 * The arithmetic of the verification budget: pure functions of the shared state, an event and the store's clock.
 *
 * The rate starts low and doubles each second until the service refuses a request. From then on it grows by a few
 * percent a second, and by less near the rate at which the service last refused, and decreases by 15% with each refusal.
 * It grows only while the budget is used up.
 */

/** Per second: what the budget never falls below, so that nothing waits for ever. */
export const minVerificationsPerSecond = 1;

/** The slow start begins with this part of the ceiling. */
const initialShare = 0.05;

const decreaseFactor = 0.85;

/** Growth in a second, as a factor. */
const slowStartFactor = 2;
const growthFactor = 1.05;
const cautiousFactor = 1.004;

/** Relative to the rate at which the service last refused: in between, growth is cautious. */
const cautiousFrom = 0.9;
const cautiousTo = 1.02;
/** From here on that rate says nothing any more. */
const movedFrom = 1.1;
/** Two refusals at rates no further apart than this have found the service's limit; one may have met a burst. */
const sameLimitShare = 0.2;

/** A refusal says something new only of a request that was sent this long after the last decrease. */
const settleMs = 300;

/** Once the service has refused, no more than this is saved up; more than one, so that a late timer loses none. */
const burstSeconds = 0.05;
const minBurst = 1.25;

/** Whoever waits for a permit comes for it no later than this, or there was nobody. */
const latenessSeconds = 0.25;

/** A draw is a statement of the store: not more often than this, however short the wait for one permit. */
const minPauseMs = 20;

/** Whoever stays away longer has no demand that would let the rate grow. */
const maxGrowthSeconds = 2;

/** A pause that ends later was begun before the store's clock was set back, and is over. */
export const maxPauseMs = 60_000;

export type PermitRequest = {
  /** How many verifications could start now. */
  wanted: number;
  /** How many more would be welcome for those that come next, where nobody else wants them. */
  ahead: number;
  /** How many have started without a permit since the last draw, because an account depended on them; negative to give back. */
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

/** The service has refused a request, or has not responded to it. */
export type Refusal = {
  /** How long ago the request was sent. */
  sentMsAgo: number;
  /** How long nobody should ask, in milliseconds; 0 where the service does not say. */
  pauseMs: number;
  maxPerSecond: number;
};

export type RefusalResult = { isDecreased: boolean; ratePerSecond: number };

/** Grants as many of the wanted permits as there are, and of those that are welcome as nobody is short of. */
export function takePermits(
  stored: BudgetState | undefined,
  { wanted, ahead, spent, maxPerSecond }: PermitRequest,
  nowMs: number,
): readonly [BudgetState, Permits] {
  const state = advance(stored, maxPerSecond, nowMs);
  const { ratePerSecond } = state;
  // What decides on an account has gone first, but it holds up the others for no more than a second.
  const left = Math.min(Math.max(state.permits - spent, -ratePerSecond), burstOf(state));
  const pauseLeftMs = Math.max(0, state.pausedUntilMs - nowMs);
  // Only while the budget is not used up: whoever is short is not to wait for what others hold.
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
    // One is left for the moment at which the pause ends: it finds out.
    permits: Math.min(state.permits, 1),
    limitPerSecond: state.ratePerSecond,
    decreasedAtMs: nowMs,
    pausedUntilMs,
  };
  return [decreased, { isDecreased, ratePerSecond }];
}

/** The state at this moment: what the time since the last event has brought. */
function advance(stored: BudgetState | undefined, maxPerSecond: number, nowMs: number): BudgetState {
  const state = stored === undefined ? initial(maxPerSecond, nowMs) : afterClockChange(stored, nowMs);
  // Nothing is saved up during a pause.
  const sinceMs = Math.max(state.atMs, Math.min(state.pausedUntilMs, nowMs));
  const seconds = (nowMs - sinceMs) / 1000;
  const filled = state.permits + state.ratePerSecond * seconds;
  const burst = burstOf(state);
  // More than was taken lay there: the demand had ended.
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

/** Moments that lie ahead were noted before the store's clock was set back. */
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

/** A service that has refused nothing yet may be asked a second's worth at once. */
function burstOf({ ratePerSecond, limitPerSecond }: BudgetState): number {
  return Math.max(minBurst, limitPerSecond === null ? ratePerSecond : ratePerSecond * burstSeconds);
}
