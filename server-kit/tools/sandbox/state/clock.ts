import type { Collection } from './collection.ts';

/** Limits of the clock: UNIX seconds must have ten digits. */
export const earliestMs = 1_000_000_000_000;
export const latestMs = 9_999_999_999_999;

/** How the clock was set. It is stored, so that a restart keeps it. */
export type ClockSetting = {
  id: 'clock';
  /** Milliseconds ahead of the injected clock. */
  offsetMs: number;
  /** The time of a frozen clock, in milliseconds since the epoch. */
  frozenAtMs: number | null;
};

export type SandboxClock = ReturnType<typeof createClock>;

/** The sandbox's clock: the injected clock, adjusted by control calls. In milliseconds since the epoch. */
export function createClock(now: () => number, settings: Collection<ClockSetting>) {
  const setting = (): ClockSetting => settings.get('clock') ?? { id: 'clock', offsetMs: 0, frozenAtMs: null };
  const read = (): number => setting().frozenAtMs ?? now() + setting().offsetMs;
  return {
    now: read,
    offsetMs: (): number => read() - now(),
    isFrozen: (): boolean => setting().frozenAtMs !== null,
    /** Sets the clock, which then runs or is frozen. The caller has checked the limits. */
    set(nowMs: number, isFrozen: boolean): void {
      settings.put({ id: 'clock', offsetMs: nowMs - now(), frozenAtMs: isFrozen ? nowMs : null });
    },
  };
}

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Returns the `updatedAt` of a change at `nowMs`: never before the last change, even when the clock was set back. */
export const nextUpdatedAt = ({ updatedAt }: { updatedAt: string | null }, nowMs: number): string =>
  toIso(updatedAt === null ? nowMs : Math.max(nowMs, Date.parse(updatedAt)));
