import * as v from 'valibot';
import { exactObject, Timestamp } from '../../api/fields.ts';
import { earliestMs, latestMs } from '../clock/clock.ts';
import { toIso } from '../clock/iso.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import { WholeNumber } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

/** Any of the three: `set` goes first, then `advanceSeconds`, then `frozen`. */
export const ClockInput = v.pipe(
  exactObject({
    /** A moment in ISO 8601 in UTC, earlier or later. */
    set: v.optional(Timestamp),
    advanceSeconds: v.optional(WholeNumber),
    /** Whether the clock stands still from then on. */
    frozen: v.optional(v.boolean('must be true or false')),
  }),
  v.check((input) => Object.keys(input).length > 0, 'name set, advanceSeconds, frozen or some of them'),
);
export type ClockInput = v.InferInput<typeof ClockInput>;

/** `now` in ISO 8601; `offsetSeconds` is how far the clock is ahead of the machine's, below 0 when behind. */
export type ClockReading = { now: string; offsetSeconds: number; frozen: boolean };

export type ClockControl = {
  readClock: () => ClockReading;
  /**
   * Sets, advances, freezes or releases the clock. Records never go back: what has happened has happened.
   *
   * Refuses with `validation_failed`, also for moments whose UNIX time has not ten digits.
   */
  setClock: (input: ClockInput) => ClockReading;
};

export function createClockControl({ clock, payments, callbacks }: SandboxWorld): ClockControl {
  const readClock = (): ClockReading => ({
    now: toIso(clock.now()),
    offsetSeconds: Math.round(clock.offsetMs() / 1000),
    frozen: clock.isFrozen(),
  });
  return {
    readClock,
    setClock(input) {
      const { set, advanceSeconds = 0, frozen = clock.isFrozen() } = parseInput(ClockInput, input);
      const nowMs = (set === undefined ? clock.now() : Date.parse(set)) + advanceSeconds * 1000;
      if (nowMs < earliestMs || nowMs > latestMs) {
        throw invalidParams(
          [set === undefined ? 'advanceSeconds' : 'set'],
          `The clock can stand between ${toIso(earliestMs)} and ${toIso(latestMs)}; choose a moment in between.`,
        );
      }
      // What time has brought so far has happened, and what waits for a moment waits no longer than before.
      payments.passTime();
      const backMs = clock.now() - nowMs;
      if (backMs > 0) callbacks.bringForward(backMs);
      clock.set(nowMs, frozen);
      return readClock();
    },
  };
}

const call = controlCallsOf<ClockControl>();

export const clockCalls = {
  readClock: call({
    method: 'GET',
    path: '/_sandbox/clock',
    summary: "The sandbox's clock: { now, offsetSeconds, frozen }",
    answer: (control) => control.readClock(),
  }),
  setClock: call({
    method: 'POST',
    path: '/_sandbox/clock',
    summary: 'Sets, advances, freezes or releases the clock: { now, offsetSeconds, frozen }',
    request: ClockInput,
    answer: (control, _parameters, body) => control.setClock(body),
  }),
} satisfies Record<keyof ClockControl, ControlCall<ClockControl>>;
