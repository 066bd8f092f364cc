/** How far the sandbox's clock can be moved in all: ten years, so that timestamps keep their ten digits. */
export const maxOffsetSeconds = 315_360_000;

/** The sandbox's own clock: the injected one, moved forward by control calls. */
export type SandboxClock = {
  /** Milliseconds since the epoch. */
  now: () => number;
  offsetSeconds: () => number;
  /** Moves the clock forward. The caller has checked the bounds. */
  advance: (seconds: number) => void;
};

export function createClock(now: () => number): SandboxClock {
  let offset = 0;
  return {
    now: () => now() + offset * 1000,
    offsetSeconds: () => offset,
    advance: (seconds) => {
      offset += seconds;
    },
  };
}
