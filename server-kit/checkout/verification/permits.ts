import type { BudgetState } from '../ports/store.ts';

export type BudgetEvent = {
  /** How many verifications could start now. */
  wanted?: number;
  /** How many started without a permit, for decisions on an account. */
  spent?: number;
  refusal?: Refusal;
};

/** A request that the service has refused, or not responded to in time, and the pause that it asks for, at most `maxPauseMs`. */
export type Refusal = { sentMsAgo: number; pauseMs: number };

export type Permits = {
  /** More than were wanted, if there are enough for some ahead. */
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
const slowStartGrowth = 2;
const carefulGrowth = 1.01;

/** By then, careful growth has passed the rate of the last refusal: the service's limit has moved. */
const carefulMs = 20_000;

/** A refusal counts only if its request was sent this long after the last decrease. */
const settleMs = 300;

/** Once the service has refused, no more than this is saved up beside one permit, so that a late timer loses none. */
const burstSeconds = 0.1;

/** Permits of this time are granted ahead, so that not each verification waits for two statements of the store. */
const aheadSeconds = 0.05;

/** More time than this, and than one permit takes, was not used up since the last event. */
const latenessSeconds = 0.25;

/** The least time between two draws, because each is a statement of the store. */
const minPauseMs = 20;

/** Shorter than a lease of the reconciler. During a longer pause of the service, one request each 30 seconds probes it. */
export const maxPauseMs = 30_000;

type BudgetMoment = { maxPerSecond: number; nowMs: number };

function initialBudget({ maxPerSecond, nowMs }: BudgetMoment): BudgetState {
  const initial = Math.max(minPerSecond, maxPerSecond * initialShare);
  return { ratePerSecond: initial, permits: initial, atMs: nowMs, decreasedAtMs: 0, pausedUntilMs: 0 };
}

/**
 * Returns the budget after an event, and the permits that it grants. The rate starts low and doubles each second until the service
 * refuses a request. Each refusal decreases it by 15%; then it grows by 1% a second, and after twenty seconds without a refusal it
 * doubles again. It grows only while the budget is used up.
 */
export function nextBudget(
  stored: BudgetState | undefined,
  { wanted = 0, spent = 0, refusal }: BudgetEvent,
  { maxPerSecond, nowMs }: BudgetMoment,
): readonly [BudgetState, Permits] {
  const state = stored ?? initialBudget({ maxPerSecond, nowMs });
  const pauseMs = Math.max(pauseLeftMs(state, nowMs), refusal?.pauseMs ?? 0);
  const seconds = Math.max(0, nowMs - Math.max(state.atMs, state.pausedUntilMs)) / 1000;
  const saved = Math.min(state.permits + state.ratePerSecond * seconds, burstOf(state));
  // Decisions on an account go first, but they hold up the others for no more than a second.
  const left = Math.max(saved - spent, -state.ratePerSecond);
  const available = pauseMs > 0 ? 0 : Math.max(0, Math.floor(left + 1e-9));
  const ahead = wanted > 0 ? Math.floor(state.ratePerSecond * aheadSeconds) : 0;
  const granted = Math.min(wanted + ahead, available);
  const isDecreased = refusal !== undefined && isNews(state, refusal, nowMs);
  const growth = granted < wanted && pauseMs === 0 ? growthOf(state, seconds, nowMs) : 1;
  const changed = state.ratePerSecond * (isDecreased ? decrease : growth);
  const ratePerSecond = Math.max(minPerSecond, Math.min(changed, maxPerSecond));
  const permits = left - granted;
  const untilOneMs = Math.max(minPauseMs, Math.ceil(((1 - permits) / ratePerSecond) * 1000));
  const retryAfterMs = granted < wanted ? pauseMs || untilOneMs : 0;
  const decreasedAtMs = isDecreased ? nowMs : state.decreasedAtMs;
  const pausedUntilMs = pauseMs > 0 ? nowMs + pauseMs : 0;
  return [
    { ratePerSecond, permits, atMs: nowMs, decreasedAtMs, pausedUntilMs },
    { granted, retryAfterMs, ratePerSecond, isDecreased },
  ];
}

/** A longer pause was begun before the store's clock was set back. */
const pauseLeftMs = ({ pausedUntilMs }: BudgetState, nowMs: number): number =>
  pausedUntilMs > nowMs + maxPauseMs ? 0 : Math.max(0, pausedUntilMs - nowMs);

/** Whether a refused request was sent after the last decrease could show. */
const isNews = ({ decreasedAtMs }: BudgetState, { sentMsAgo }: Refusal, nowMs: number): boolean =>
  decreasedAtMs > nowMs || nowMs - sentMsAgo > decreasedAtMs + settleMs;

/** Until its first refusal, the service may get a second's worth of requests at once. */
const burstOf = ({ ratePerSecond, decreasedAtMs }: BudgetState): number =>
  1 + ratePerSecond * (decreasedAtMs === 0 ? 1 : burstSeconds);

/** Returns the factor by which the rate grows in a time that the budget was used up. */
function growthOf({ ratePerSecond, decreasedAtMs }: BudgetState, seconds: number, nowMs: number): number {
  const perSecond = Math.abs(nowMs - decreasedAtMs) < carefulMs ? carefulGrowth : slowStartGrowth;
  return perSecond ** Math.min(seconds, 1 / ratePerSecond + latenessSeconds);
}
