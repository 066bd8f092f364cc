import * as v from 'valibot';
import { Timestamp } from '../../../core/fields.ts';
import { atLeastOneField } from '../../../service/fields.ts';
import { invalidParams } from '../errors.ts';
import { parseInput, WholeNumber } from '../input/fields.ts';
import { earliestMs, latestMs, type SandboxClock, toIso } from '../state/clock.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import type { ControlCalls } from './handler.ts';

/** Any of these fields: `set` is applied first, then `advanceSeconds`, then `frozen`. */
const ClockInput = v.pipe(
  v.strictObject({
    /** An earlier or later time in ISO 8601, in UTC. */
    set: v.optional(Timestamp),
    advanceSeconds: v.optional(WholeNumber),
    /** Whether the clock is frozen from then on. */
    frozen: v.optional(v.boolean('must be true or false')),
  }),
  atLeastOneField('name set, advanceSeconds, frozen or some of them'),
);
type ClockInput = v.InferInput<typeof ClockInput>;

/** `now` is in ISO 8601; `offsetSeconds` is the lead over the machine's clock, negative when behind. */
export type ClockReading = { now: string; offsetSeconds: number; frozen: boolean };

export const clockCalls = {
  readClock: { run: ({ clock }) => readClock(clock) },
  /**
   * Sets, advances, freezes or releases the clock. Records keep what has already happened to them. Refuses with `validation_failed`, also
   * for times whose UNIX seconds do not have ten digits.
   */
  setClock: { request: ClockInput, run: setClock },
} satisfies ControlCalls;

const readClock = (clock: SandboxClock): ClockReading => ({
  now: toIso(clock.now()),
  offsetSeconds: Math.round(clock.offsetMs() / 1000),
  frozen: clock.isFrozen(),
});

function setClock({ clock, payments, callbacks }: SandboxWorld, input: ClockInput): ClockReading {
  const { set, advanceSeconds = 0, frozen = clock.isFrozen() } = parseInput(ClockInput, input);
  const nowMs = (set === undefined ? clock.now() : Date.parse(set)) + advanceSeconds * 1000;
  if (nowMs < earliestMs || nowMs > latestMs) {
    throw invalidParams(
      [set === undefined ? 'advanceSeconds' : 'set'],
      `The clock must be between ${toIso(earliestMs)} and ${toIso(latestMs)}; choose a time in between.`,
    );
  }
  // Records the changes that are due so far; a clock that is set back must not delay a planned callback.
  payments.passTime();
  const backMs = clock.now() - nowMs;
  if (backMs > 0) callbacks.bringForward(backMs);
  clock.set(nowMs, frozen);
  return readClock(clock);
}
