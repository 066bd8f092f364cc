import type { Collection } from '../storage/collection.ts';

/** The moments that the clock can be set to: those whose UNIX time has ten digits. */
export const earliestMs = 1_000_000_000_000;
export const latestMs = 9_999_999_999_999;

/** How the clock was moved. Kept, so that it is the same clock after a restart. */
export type ClockSetting = {
  id: 'clock';
  /** How far it is ahead of the injected clock, in milliseconds. */
  offsetMs: number;
  /** Where it stands still, in milliseconds since the epoch. */
  frozenAtMs: number | null;
};

/** The sandbox's own clock: the injected one, moved by control calls. */
export type SandboxClock = {
  /** Milliseconds since the epoch. */
  now: () => number;
  offsetMs: () => number;
  isFrozen: () => boolean;
  /** Sets the clock, which then goes on, or stays where it is. The caller has checked the bounds. */
  set: (nowMs: number, isFrozen: boolean) => void;
};

export function createClock(now: () => number, settings: Collection<ClockSetting>): SandboxClock {
  const setting = (): ClockSetting => settings.get('clock') ?? { id: 'clock', offsetMs: 0, frozenAtMs: null };
  const read = (): number => setting().frozenAtMs ?? now() + setting().offsetMs;
  return {
    now: read,
    offsetMs: () => read() - now(),
    isFrozen: () => setting().frozenAtMs !== null,
    set: (nowMs, isFrozen) =>
      void settings.put({ id: 'clock', offsetMs: nowMs - now(), frozenAtMs: isFrozen ? nowMs : null }),
  };
}
